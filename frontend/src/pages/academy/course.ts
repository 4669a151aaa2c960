import type { PictureFiles } from '../../ui/Picture';

export const CATEGORIES = ['basics', 'navigation', 'racing', 'safety'] as const;
export type Category = (typeof CATEGORIES)[number];

export const LEVELS = ['beginner', 'intermediate', 'advanced'] as const;
export type Level = (typeof LEVELS)[number];

/** A picture, and what it shows in the language of the page. */
export interface CourseImage {
  files: PictureFiles;
  alt: string;
}

/** A course of the academy (spec section 3, Course). */
export interface Course {
  id: string;
  title: string;
  description: string;
  level: Level;
  /** In hours. */
  duration: number;
  lessons: number;
  students: number;
  /** Of five. */
  rating: number;
  /** In US dollars. */
  price: number;
  instructor: string;
  image: CourseImage;
  /** In percent; of a course that the member takes. */
  progress: number;
  isEnrolled: boolean;
  category: Category;
  skills: readonly string[];
  /** What comes next; nothing in a course that is completed. */
  nextLesson?: string;
}

/** Courses that lead to one goal, in their order (spec section 3, Learning path). */
export interface LearningPath {
  id: string;
  title: string;
  description: string;
  /** The ids of its courses. */
  courses: readonly string[];
  /** In hours. */
  totalDuration: number;
  difficulty: Level;
  completedCourses: number;
  totalCourses: number;
}

/** What a member has done in the academy so far. */
export interface Summary {
  activeCourses: number;
  /** In percent. */
  averageProgress: number;
  /** In hours. */
  learningTime: number;
}
