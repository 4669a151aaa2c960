import { useSearchParams } from 'react-router-dom';

import { readFilter, writeFilter } from './address';
import type { CourseFilter } from './rules';

/** What narrows the list of courses, kept in the address: it can be shared, and survives a reload. */
export function useCourseFilter(): [filter: CourseFilter, narrow: (change: Partial<CourseFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  return [filter, (change) => setParams(writeFilter({ ...filter, ...change }), { replace: true })];
}
