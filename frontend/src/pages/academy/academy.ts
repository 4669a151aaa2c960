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

export interface Academy {
  /** The member's progress over all courses. */
  summary: {
    activeCourses: number;
    /** In percent. */
    averageProgress: number;
    /** In hours. */
    learningTime: number;
  };
  paths: readonly LearningPath[];
  courses: readonly Course[];
}

/** What the list of courses is filtered by; an empty value matches every course. */
export const FILTER_READERS: Readers<{ category: Category | ''; level: Level | '' }> = {
  category: createChoiceReader(CATEGORIES),
  level: createChoiceReader(LEVELS),
};
