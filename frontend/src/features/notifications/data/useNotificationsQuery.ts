import { useMemo } from 'react';

import {
  createSampleResult,
  addCreatedAt,
  type SampleItem,
  type QueryResult,
  useSample,
} from '../../../lib/query';
import type { Notification } from '../notification';

/** The time of the visit, the same for the bar and for the page. */
const NOW = Date.now();

/** Query the member's notifications, newest first (sample data until the API has them). */
export function useNotificationsQuery(): QueryResult<readonly Notification[]> {
  const sample = useSample('sample-notifications') as readonly SampleItem<Notification>[];
  return useMemo(
    () => createSampleResult(sample.map((notification) => addCreatedAt(notification, NOW))),
    [sample],
  );
}
