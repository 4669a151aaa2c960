import { useMemo } from 'react';
import { useIntl } from 'react-intl';

import { type QueryResult, createSampleResult } from '../../../lib/query';
import type { Academy } from '../academy';
import { createSampleAcademy } from './sampleAcademy';

/** Query what the academy shows in the language of the page (sample data until the API has it). */
export function useAcademyQuery(): QueryResult<Academy> {
  const { formatMessage } = useIntl();
  return useMemo(
    () => createSampleResult(createSampleAcademy((id) => formatMessage({ id }))),
    [formatMessage],
  );
}
