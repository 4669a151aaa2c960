import type { Category, Course, LearningPath, Level } from './course';

/** What narrows the list of courses; empty where nothing does. */
export interface CourseFilter {
  category: Category | '';
  level: Level | '';
}

export const NO_FILTER: CourseFilter = { category: '', level: '' };

/** The courses of a category and a level, in the catalogue's order. */
export function findCourses(
  courses: readonly Course[],
  { category, level }: CourseFilter,
): readonly Course[] {
  return courses.filter(
    (course) => (!category || course.category === category) && (!level || course.level === level),
  );
}

/** What can be done with a course (spec section 2, Academy): go on with it or start it once enrolled, else enroll. */
export function courseAction({ isEnrolled, progress }: Course): 'continue' | 'start' | 'enroll' {
  if (!isEnrolled) return 'enroll';
  return progress > 0 ? 'continue' : 'start';
}

/** What can be done with a path (spec section 2, Academy): go on when at least one course is completed, else start. */
export function pathAction({ completedCourses }: LearningPath): 'continue' | 'start' {
  return completedCourses >= 1 ? 'continue' : 'start';
}

/** How much of a path is done, in whole percent. */
export function pathProgress({ completedCourses, totalCourses }: LearningPath): number {
  return totalCourses > 0 ? Math.round((completedCourses / totalCourses) * 100) : 0;
}
