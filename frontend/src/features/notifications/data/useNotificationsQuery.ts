import { useMemo } from 'react';

import { createSampleResult, datePast, type Past, type QueryResult, useSample } from '../../../lib/query';
import type { Notification } from '../notification';

/** The time of the visit, the same for the bar and for the page. */
const NOW = Date.now();

/** Query the member's notifications, newest first (sample data until the API has them). */
export function useNotificationsQuery(): QueryResult<readonly Notification[]> {
  const sample = useSample('sample-notifications') as readonly Past<Notification>[];
  return useMemo(
    () => createSampleResult(sample.map((notification) => datePast(notification, NOW))),
    [sample],
  );
}
