import { describe, expect, test } from 'vitest';

import { overlap, periodOf, periodProblem } from './period';

const TODAY = '2026-07-14';

describe('a rental period', () => {
  test.each([
    ['from a day to a later one', '2026-07-20', '2026-07-27', { from: '2026-07-20', to: '2026-07-27' }],
    ['of one day', '2026-07-20', '2026-07-20', { from: '2026-07-20', to: '2026-07-20' }],
    ['that begins today', TODAY, '2026-07-15', { from: TODAY, to: '2026-07-15' }],
    ['with only a beginning is that day', '2026-07-20', '', { from: '2026-07-20', to: '2026-07-20' }],
    ['with only an end is that day', '', '2026-07-20', { from: '2026-07-20', to: '2026-07-20' }],
  ])('%s', (_, from, to, period) => {
    expect(periodProblem({ from, to }, TODAY)).toBeUndefined();
    expect(periodOf({ from, to }, TODAY)).toEqual(period);
  });

  test('with no day asks for nothing', () => {
    expect(periodProblem({ from: '', to: '' }, TODAY)).toBeUndefined();
    expect(periodOf({ from: '', to: '' }, TODAY)).toBeUndefined();
  });

  test.each([
    ['ends before it begins', '2026-07-27', '2026-07-20', 'reversed'],
    ['begins in the past', '2026-07-13', '2026-07-20', 'past'],
    ['is over', '', '2026-07-13', 'past'],
  ])('that %s has a problem, and asks for nothing', (_, from, to, problem) => {
    expect(periodProblem({ from, to }, TODAY)).toBe(problem);
    expect(periodOf({ from, to }, TODAY)).toBeUndefined();
  });
});

describe('two periods', () => {
  const stay = { from: '2026-07-10', to: '2026-07-17' };
  test.each([
    ['one in the other', '2026-07-12', '2026-07-13', true],
    ['one around the other', '2026-07-01', '2026-07-31', true],
    ['the last day is the first of the other', '2026-07-17', '2026-07-20', true],
    ['the first day is the last of the other', '2026-07-01', '2026-07-10', true],
    ['the day after', '2026-07-18', '2026-07-20', false],
    ['the day before', '2026-07-01', '2026-07-09', false],
  ])('%s', (_, from, to, shared) => {
    expect(overlap(stay, { from, to })).toBe(shared);
    expect(overlap({ from, to }, stay)).toBe(shared);
  });
});
