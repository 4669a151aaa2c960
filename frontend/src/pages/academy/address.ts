import { CATEGORIES, LEVELS } from './course';
import type { CourseFilter } from './rules';

/** Reads a filter from the query of an address; what is missing, or is no category or level, narrows nothing. */
export function readFilter(params: URLSearchParams): CourseFilter {
  return {
    category: CATEGORIES.find((category) => category === params.get('category')) ?? '',
    level: LEVELS.find((level) => level === params.get('level')) ?? '',
  };
}

/** The query that `readFilter` reads a filter from. */
export function writeFilter({ category, level }: CourseFilter): URLSearchParams {
  return new URLSearchParams({ ...(category && { category }), ...(level && { level }) });
}
