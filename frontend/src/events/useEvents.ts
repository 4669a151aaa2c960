import { useMemo, useState } from 'react';

import { dayOf } from '../calendar/day';
import { monthOf } from '../calendar/month';
import { useAuth } from '../session/AuthProvider';
import type { SailingEvent } from './event';
import { sampleEvents } from './sampleEvents';
import { inOrder } from './schedule';

/** The events of the calendar in their order: sample data until a server has some. */
export function useEvents(): readonly SailingEvent[] {
  const { isAuthenticated } = useAuth();
  const [month] = useState(() => monthOf(dayOf(new Date())));
  return useMemo(() => {
    const events = inOrder(sampleEvents(month));
    // Whoever is signed out is registered nowhere.
    return isAuthenticated ? events : events.map((event) => ({ ...event, isRegistered: false }));
  }, [month, isAuthenticated]);
}
