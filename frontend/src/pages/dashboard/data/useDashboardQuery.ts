import { type QueryResult, sampleResult } from '../../../query/query';
import type { Dashboard } from '../dashboard';
import { sampleDashboard } from './sampleDashboard';

const SAMPLE = sampleResult(sampleDashboard(new Date()));

/** Query what the dashboard shows (sample data until the API has it). */
export function useDashboardQuery(): QueryResult<Dashboard> {
  return SAMPLE;
}
