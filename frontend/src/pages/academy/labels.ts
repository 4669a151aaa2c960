import type { Category, Level } from './course';

/** What the values that a course has are called on the screen. */

export const CATEGORY_LABELS = {
  basics: 'academy.basics',
  navigation: 'academy.navigation',
  racing: 'academy.racing',
  safety: 'academy.safety',
} as const satisfies Record<Category, string>;

export const LEVEL_LABELS = {
  beginner: 'academy.beginner',
  intermediate: 'academy.intermediate',
  advanced: 'academy.advanced',
} as const satisfies Record<Level, string>;
