import { CATEGORIES, type CourseFilter, LEVELS } from './academy';

/** Read the filter from the query string; ignore invalid values. */
export function readFilter(params: URLSearchParams): CourseFilter {
  return {
    category: CATEGORIES.find((category) => category === params.get('category')) ?? '',
    level: LEVELS.find((level) => level === params.get('level')) ?? '',
  };
}

export function writeFilter({ category, level }: CourseFilter): URLSearchParams {
  return new URLSearchParams({ ...(category && { category }), ...(level && { level }) });
}
