import { useMemo, useState } from 'react';
import { useIntl } from 'react-intl';

import { toDay } from '../../calendar/day';
import { getMonth } from '../../calendar/month';
import { type QueryResult, createSampleResult } from '../../../lib/query';
import { useAuth } from '../../../session/AuthProvider';
import type { SailingEvent } from '../event';
import { createSampleEvents } from './sampleEvents';

/** Query the events in the language of the page, in order of their start (sample data until the API has them). */
export function useEventsQuery(): QueryResult<readonly SailingEvent[]> {
  const { formatMessage } = useIntl();
  const { isAuthenticated } = useAuth();
  const [month] = useState(() => getMonth(toDay(new Date())));
  return useMemo(() => {
    const events = createSampleEvents(month, (id) => formatMessage({ id }));
    // Visitors are not registered for any event.
    return createSampleResult(
      isAuthenticated ? events : events.map((event) => ({ ...event, isRegistered: false })),
    );
  }, [month, isAuthenticated, formatMessage]);
}
