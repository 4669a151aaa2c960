import { useMemo, useState } from 'react';

import { addDays, getFirstDay, getMonth, toDay } from '../../calendar';
import { createSampleResult, type QueryResult, useSample } from '../../../lib/query';
import { useAuth } from '../../../session/AuthProvider';
import type { SailingEvent } from '../event';

/** An event of the sample, with its days after the first of the month of the visit. */
type SampleEvent = Omit<SailingEvent, 'date'> & { day: number };

/** Query the events in order of their start (sample data until the API has them). */
export function useEventsQuery(): QueryResult<readonly SailingEvent[]> {
  const sample = useSample('sample-events') as readonly SampleEvent[];
  const { isAuthenticated } = useAuth();
  const [first] = useState(() => getFirstDay(getMonth(toDay(new Date()))));
  return useMemo(() => {
    const events = sample.map(({ day, ...event }) => ({
      ...event,
      date: addDays(first, day),
      isRegistered: event.isRegistered && isAuthenticated,
    }));
    return createSampleResult(events);
  }, [sample, first, isAuthenticated]);
}
