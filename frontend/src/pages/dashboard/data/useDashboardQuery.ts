import { useMemo } from 'react';
import { useIntl } from 'react-intl';

import { type QueryResult, createSampleResult } from '../../../lib/query';
import type { Dashboard } from '../dashboard';
import { createSampleDashboard } from './sampleDashboard';

/** The time of the visit. */
const NOW = new Date();

/** Query what the dashboard shows in the language of the page (sample data until the API has it). */
export function useDashboardQuery(): QueryResult<Dashboard> {
  const { formatMessage } = useIntl();
  return useMemo(
    () => createSampleResult(createSampleDashboard(NOW, (id) => formatMessage({ id }))),
    [formatMessage],
  );
}
