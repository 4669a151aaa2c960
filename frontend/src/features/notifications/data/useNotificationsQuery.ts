import { useMemo } from 'react';
import { useIntl } from 'react-intl';

import { type QueryResult, createSampleResult } from '../../../lib/query';
import type { Notification } from '../notification';
import { createSampleNotifications } from './sampleNotifications';

/** The time of the visit, the same for the bar and for the page. */
const NOW = new Date();

/** Query the member's notifications in the language of the page, newest first (sample data until the API has them). */
export function useNotificationsQuery(): QueryResult<readonly Notification[]> {
  const { formatMessage } = useIntl();
  return useMemo(
    () => createSampleResult(createSampleNotifications(NOW, (id) => formatMessage({ id }))),
    [formatMessage],
  );
}
