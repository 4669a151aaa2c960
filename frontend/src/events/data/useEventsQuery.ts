import { useMemo, useState } from 'react';

import { dayOf } from '../../calendar/day';
import { monthOf } from '../../calendar/month';
import { type QueryResult, sampleResult } from '../../query/query';
import { useAuth } from '../../session/AuthProvider';
import type { SailingEvent } from '../event';
import { sampleEvents } from './sampleEvents';

/** Query the events in order of their start (sample data until the API has them). */
export function useEventsQuery(): QueryResult<readonly SailingEvent[]> {
  const { isAuthenticated } = useAuth();
  const [month] = useState(() => monthOf(dayOf(new Date())));
  return useMemo(() => {
    const events = sampleEvents(month);
    // Visitors are not registered for any event.
    return sampleResult(
      isAuthenticated ? events : events.map((event) => ({ ...event, isRegistered: false })),
    );
  }, [month, isAuthenticated]);
}
