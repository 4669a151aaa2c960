import { useMemo } from 'react';

import { createSampleResult, type QueryResult, useSample } from '../../../lib/query';
import type { Academy } from '../academy';

/** Query what the academy shows (sample data until the API has it). */
export function useAcademyQuery(): QueryResult<Academy> {
  const academy = useSample('sample-academy') as Academy;
  return useMemo(() => createSampleResult(academy), [academy]);
}
