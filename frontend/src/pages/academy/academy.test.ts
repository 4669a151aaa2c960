import { describe, expect, test } from 'vitest';

import { readState, writeState } from '../../lib/router/useUrlState';
import { getSample } from '../../test/sample';
import {
  type Academy,
  getCourseAction,
  FILTER_READERS,
  filterCourses,
  NO_FILTER,
  getPathAction,
  getPathProgress,
} from './academy';

const sample = getSample('sample-academy') as Academy;
const { courses, paths, summary } = sample;
const [course] = courses;
const [path] = paths;
if (!course || !path) throw new Error('The sample is empty');

describe('the filter', () => {
  test('matches every course when empty', () => {
    expect(filterCourses(courses, NO_FILTER)).toEqual(courses);
  });

  test('combines category and level', () => {
    const both = filterCourses(courses, { category: 'navigation', level: 'advanced' });
    expect(both.map(({ id }) => id)).toEqual(['night-passages']);
    expect(filterCourses(courses, { category: 'racing', level: 'beginner' })).toEqual([]);
  });
});

test.each([
  [false, 0, 'enroll'],
  [false, 40, 'enroll'],
  [true, 0, 'start'],
  [true, 1, 'continue'],
  [true, 99, 'continue'],
  [true, 100, 'review'],
] as const)(
  'a course with isEnrolled=%s and %i percent progress offers %s',
  (isEnrolled, progress, action) => {
    expect(getCourseAction({ ...course, isEnrolled, progress })).toBe(action);
  },
);

test.each([
  [0, 'start'],
  [1, 'continue'],
  [4, 'continue'],
])('a path with %i completed courses offers %s', (completedCourses, action) => {
  expect(getPathAction({ ...path, completedCourses })).toBe(action);
});

test.each([
  [0, 4, 0],
  [1, 4, 25],
  [1, 3, 33],
  [2, 3, 67],
  [3, 3, 100],
  [0, 0, 0],
])('%i of %i completed courses are %i percent', (completedCourses, totalCourses, percent) => {
  expect(getPathProgress({ ...path, completedCourses, totalCourses })).toBe(percent);
});

describe('the sample', () => {
  const enrolled = courses.filter(({ isEnrolled }) => isEnrolled);
  const isCompleted = (id: string) => courses.some((one) => one.id === id && one.progress === 100);

  test('has a summary that matches the courses', () => {
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    expect(summary).toEqual({ activeCourses: 3, averageProgress: 50, learningTime: 24 });
    expect(enrolled.filter(({ progress }) => progress < 100)).toHaveLength(summary.activeCourses);
    expect(sum(enrolled.map(({ progress }) => progress)) / enrolled.length).toBe(summary.averageProgress);
    expect(sum(enrolled.map(({ progress, duration }) => (progress / 100) * duration))).toBe(
      summary.learningTime,
    );
  });

  test.each(paths)('has correct totals for the path $id', (one) => {
    const own = courses.filter(({ id }) => one.courses.includes(id));
    expect(own).toHaveLength(one.courses.length);
    expect(one.totalCourses).toBe(one.courses.length);
    expect(one.completedCourses).toBe(one.courses.filter(isCompleted).length);
    expect(one.totalDuration).toBe(own.reduce((total, { duration }) => total + duration, 0));
  });
});

test.each([
  ['', { category: '', level: '' }],
  ['category=racing', { category: 'racing', level: '' }],
  ['category=navigation&level=advanced', { category: 'navigation', level: 'advanced' }],
] as const)('?%s is read as %o and written back', (query, filter) => {
  expect(readState(query, FILTER_READERS)).toEqual(filter);
  expect(writeState(filter, '', FILTER_READERS)).toBe(query);
});

test.each(['category=&level=', 'category=cooking&level=Beginner', 'CATEGORY=racing', 'q=racing'])(
  'invalid values are ignored: ?%s',
  (query) => {
    expect(readState(query, FILTER_READERS)).toEqual({ category: '', level: '' });
  },
);
