import type { LearningPath } from './course';

/** The sample learning paths: one on the way, one not begun. */
export const SAMPLE_PATHS: readonly LearningPath[] = [
  {
    id: 'day-skipper',
    title: 'From Deckhand to Day Skipper',
    description: 'Everything it takes to be trusted with a boat and a crew between breakfast and sunset.',
    courses: ['first-day-afloat', 'chart-compass-course', 'man-overboard', 'docking-without-drama'],
    totalDuration: 40,
    difficulty: 'beginner',
    completedCourses: 1,
    totalCourses: 4,
  },
  {
    id: 'race-ready',
    title: 'Ready for the Regatta',
    description:
      'Read the wind, own the start, fly the big sails: the seat on the rail that crews fight for.',
    courses: ['reading-the-weather', 'win-the-start', 'gennaker-trim'],
    totalDuration: 24,
    difficulty: 'advanced',
    completedCourses: 0,
    totalCourses: 3,
  },
];
