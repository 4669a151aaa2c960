import type { Summary } from './course';

/** The figures above the courses, as spec section 2 gives them. */
export const SAMPLE_SUMMARY: Summary = { activeCourses: 3, averageProgress: 50, learningTime: 24 };
