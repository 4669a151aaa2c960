import { useMemo } from 'react';
import { useIntl } from 'react-intl';

import type { Course, LearningPath, Summary } from './course';
import { sampleCourses } from './sampleCourses';
import { SAMPLE_PATHS } from './samplePaths';
import { SAMPLE_SUMMARY } from './sampleSummary';

/** The courses of the academy: sample data until a server has some. */
export function useCourses(): readonly Course[] {
  const { formatMessage } = useIntl();
  return useMemo(() => sampleCourses((id) => formatMessage({ id })), [formatMessage]);
}

/** The learning paths: sample data until a server has some. */
export function useLearningPaths(): readonly LearningPath[] {
  return SAMPLE_PATHS;
}

/** What the member has done so far: sample data until a server has some. */
export function useSummary(): Summary {
  return SAMPLE_SUMMARY;
}
