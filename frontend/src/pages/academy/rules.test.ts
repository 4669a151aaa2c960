import { describe, expect, test } from 'vitest';

import { CATEGORIES, LEVELS } from './course';
import { courseAction, findCourses, NO_FILTER, pathAction, pathProgress } from './rules';
import { sampleCourses } from './sampleCourses';
import { SAMPLE_PATHS } from './samplePaths';
import { SAMPLE_SUMMARY } from './sampleSummary';

const courses = sampleCourses(String);
const [course] = courses;
const [path] = SAMPLE_PATHS;
if (!course || !path) throw new Error('The sample is empty');

describe('filtering', () => {
  test('without a filter all courses are there, in their order', () => {
    expect(findCourses(courses, NO_FILTER)).toEqual(courses);
  });

  test.each(CATEGORIES)('the category %s has its courses, and no other', (category) => {
    const found = findCourses(courses, { category, level: '' });
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(courses.filter((candidate) => candidate.category === category));
  });

  test.each(LEVELS)('the level %s has its courses, and no other', (level) => {
    const found = findCourses(courses, { category: '', level });
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(courses.filter((candidate) => candidate.level === level));
  });

  test('both narrow the list together, down to nothing', () => {
    const both = findCourses(courses, { category: 'navigation', level: 'advanced' });
    expect(both.map(({ id }) => id)).toEqual(['night-passages']);
    expect(findCourses(courses, { category: 'racing', level: 'beginner' })).toEqual([]);
  });
});

test.each([
  [false, 0, 'enroll'],
  [false, 40, 'enroll'],
  [true, 0, 'start'],
  [true, 1, 'continue'],
  [true, 100, 'continue'],
] as const)('enrolled: %s, progress: %i percent: %s', (isEnrolled, progress, action) => {
  expect(courseAction({ ...course, isEnrolled, progress })).toBe(action);
});

test.each([
  [0, 'start'],
  [1, 'continue'],
  [4, 'continue'],
])('of a path with %i completed courses: %s', (completedCourses, action) => {
  expect(pathAction({ ...path, completedCourses })).toBe(action);
});

test.each([
  [0, 4, 0],
  [1, 4, 25],
  [1, 3, 33],
  [2, 3, 67],
  [3, 3, 100],
  [0, 0, 0],
])('%i of %i courses are %i percent of a path', (completedCourses, totalCourses, percent) => {
  expect(pathProgress({ ...path, completedCourses, totalCourses })).toBe(percent);
});

describe('the sample agrees with itself', () => {
  const enrolled = courses.filter(({ isEnrolled }) => isEnrolled);
  const isCompleted = (id: string) => courses.some((one) => one.id === id && one.progress === 100);

  test('its prices are the three of the spec', () => {
    expect([...new Set(courses.map(({ price }) => price))].sort((a, b) => a - b)).toEqual([89, 129, 199]);
  });

  test('the summary tells of the courses that the member takes', () => {
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    expect(SAMPLE_SUMMARY).toEqual({ activeCourses: 3, averageProgress: 50, learningTime: 24 });
    expect(enrolled.filter(({ progress }) => progress < 100)).toHaveLength(SAMPLE_SUMMARY.activeCourses);
    expect(sum(enrolled.map(({ progress }) => progress)) / enrolled.length).toBe(
      SAMPLE_SUMMARY.averageProgress,
    );
    expect(sum(enrolled.map(({ progress, duration }) => (progress / 100) * duration))).toBe(
      SAMPLE_SUMMARY.learningTime,
    );
  });

  test('there is a course of each colour of progress', () => {
    expect(enrolled.map(({ progress }) => progress).sort((a, b) => a - b)).toEqual([0, 35, 65, 100]);
  });

  test.each(SAMPLE_PATHS)('the path $id counts the courses it leads through', (one) => {
    const own = courses.filter(({ id }) => one.courses.includes(id));
    expect(own).toHaveLength(one.courses.length);
    expect(one.totalCourses).toBe(one.courses.length);
    expect(one.completedCourses).toBe(one.courses.filter(isCompleted).length);
    expect(one.totalDuration).toBe(own.reduce((total, { duration }) => total + duration, 0));
  });
});
