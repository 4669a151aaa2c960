import type { MessageId } from '../../i18n/catalogues';
import { createChoiceReader, type Readers } from '../../lib/router/useUrlState';
import type { DescribedPicture, PictureFiles } from '../../ui/Picture';

export const CATEGORIES = ['basics', 'navigation', 'racing', 'safety'] as const;
export type Category = (typeof CATEGORIES)[number];

export const LEVELS = ['beginner', 'intermediate', 'advanced'] as const;
export type Level = (typeof LEVELS)[number];

export const CATEGORY_LABELS: Record<Category, MessageId> = {
  basics: 'academy.basics',
  navigation: 'academy.navigation',
  racing: 'academy.racing',
  safety: 'academy.safety',
};

export const LEVEL_LABELS: Record<Level, MessageId> = {
  beginner: 'academy.beginner',
  intermediate: 'academy.intermediate',
  advanced: 'academy.advanced',
};

/** A course (spec section 3, Course). */
export interface Course {
  id: string;
  title: string;
  description: string;
  level: Level;
  /** In hours. */
  duration: number;
  lessons: number;
  students: number;
  /** From 0 to 5. */
  rating: number;
  /** In US dollars. */
  price: number;
  instructor: string;
  image: DescribedPicture;
  /** In percent; 0 unless the member is enrolled. */
  progress: number;
  isEnrolled: boolean;
  category: Category;
  skills: readonly string[];
  /** Left out once the course is completed. */
  nextLesson?: string;
}

/** A sequence of courses (spec section 3, Learning path). */
export interface LearningPath {
  id: string;
  title: string;
  description: string;
  /** Ids of the courses in order. */
  courses: readonly string[];
  /** In hours. */
  totalDuration: number;
  difficulty: Level;
  completedCourses: number;
  totalCourses: number;
  /** Decorative. */
  picture: PictureFiles;
}

/** The member's progress over all courses. */
export interface Summary {
  activeCourses: number;
  /** In percent. */
  averageProgress: number;
  /** In hours. */
  learningTime: number;
}

export interface Academy {
  summary: Summary;
  paths: readonly LearningPath[];
  courses: readonly Course[];
}

/** What the list of courses is filtered by; an empty value matches every course. */
interface CourseFilter {
  category: Category | '';
  level: Level | '';
}

export const NO_FILTER: CourseFilter = { category: '', level: '' };

export const FILTER_READERS: Readers<CourseFilter> = {
  category: createChoiceReader(CATEGORIES),
  level: createChoiceReader(LEVELS),
};

/** Return the courses that match a filter, in the same order. */
export function filterCourses(
  courses: readonly Course[],
  { category, level }: CourseFilter,
): readonly Course[] {
  return courses.filter(
    (course) => (!category || course.category === category) && (!level || course.level === level),
  );
}

/** Return the main action of a course (spec section 2, Academy); a completed one has nothing left to continue. */
export function getCourseAction({
  isEnrolled,
  progress,
}: Course): 'review' | 'continue' | 'start' | 'enroll' {
  if (!isEnrolled) return 'enroll';
  if (progress >= 100) return 'review';
  return progress > 0 ? 'continue' : 'start';
}

/** Return the action of a learning path: continue once a course is completed (spec section 2, Academy). */
export function getPathAction({ completedCourses }: LearningPath): 'continue' | 'start' {
  return completedCourses >= 1 ? 'continue' : 'start';
}

/** Return the progress of a learning path in whole percent. */
export function getPathProgress({ completedCourses, totalCourses }: LearningPath): number {
  return totalCourses > 0 ? Math.round((completedCourses / totalCourses) * 100) : 0;
}
