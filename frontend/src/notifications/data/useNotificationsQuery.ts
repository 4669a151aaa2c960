import { type QueryResult, sampleResult } from '../../query/query';
import type { Notification } from '../notification';
import { sampleNotifications } from './sampleNotifications';

const SAMPLE = sampleResult(sampleNotifications(new Date()));

/** Query the member's notifications, newest first (sample data until the API has them). */
export function useNotificationsQuery(): QueryResult<readonly Notification[]> {
  return SAMPLE;
}
