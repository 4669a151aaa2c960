import { useMemo } from 'react';

import { addDays, type Day, getFirstDay, getMonth } from '../../../features/calendar';
import { createSampleResult, type QueryResult, useSample } from '../../../lib/query';
import type { Boat } from '../boat';

/** A boat of the sample, with its bookings in days after the first of the month of the visit. */
type SampleBoat = Omit<Boat, 'booked'> & { booked: readonly { from: number; to: number }[] };

/** Query the boats (sample data until the API has them). */
export function useBoatsQuery(today: Day): QueryResult<readonly Boat[]> {
  const sample = useSample('sample-boats') as readonly SampleBoat[];
  return useMemo(() => {
    const first = getFirstDay(getMonth(today));
    const boats = sample.map((boat) => ({
      ...boat,
      booked: boat.booked.map(({ from, to }) => ({ from: addDays(first, from), to: addDays(first, to) })),
    }));
    return createSampleResult(boats);
  }, [sample, today]);
}
