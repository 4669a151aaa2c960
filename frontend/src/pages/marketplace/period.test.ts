import { describe, expect, test } from 'vitest';

import { overlaps, resolvePeriod, validatePeriod } from './period';

const TODAY = '2026-07-14';

describe('a rental period', () => {
  test.each([
    ['from a day to a later one', '2026-07-20', '2026-07-27', { from: '2026-07-20', to: '2026-07-27' }],
    ['of one day', '2026-07-20', '2026-07-20', { from: '2026-07-20', to: '2026-07-20' }],
    ['that starts today', TODAY, '2026-07-15', { from: TODAY, to: '2026-07-15' }],
    ['with only a start is that day', '2026-07-20', '', { from: '2026-07-20', to: '2026-07-20' }],
    ['with only an end is that day', '', '2026-07-20', { from: '2026-07-20', to: '2026-07-20' }],
  ])('%s', (_, from, to, period) => {
    expect(validatePeriod({ from, to }, TODAY)).toBeUndefined();
    expect(resolvePeriod({ from, to }, TODAY)).toEqual(period);
  });

  test('without a day is undefined', () => {
    expect(validatePeriod({ from: '', to: '' }, TODAY)).toBeUndefined();
    expect(resolvePeriod({ from: '', to: '' }, TODAY)).toBeUndefined();
  });

  test.each([
    ['ends before it starts', '2026-07-27', '2026-07-20', 'to', 'periodReversed'],
    ['starts in the past', '2026-07-13', '2026-07-20', 'from', 'periodPast'],
    ['is over', '', '2026-07-13', 'to', 'periodPast'],
    ['starts in a year of five digits', '12026-07-20', '', 'from', 'periodYear'],
    ['ends in a year of five digits', '2026-07-20', '12026-07-20', 'to', 'periodYear'],
  ])('that %s is invalid', (_, from, to, end, problem) => {
    expect(validatePeriod({ from, to }, TODAY)).toEqual({ end, messageId: `marketplace.${problem}` });
    expect(resolvePeriod({ from, to }, TODAY)).toBeUndefined();
  });
});

describe('periods overlap', () => {
  const stay = { from: '2026-07-10', to: '2026-07-17' };
  test.each([
    ['one in the other', '2026-07-12', '2026-07-13', true],
    ['one around the other', '2026-07-01', '2026-07-31', true],
    ['the last day is the first of the other', '2026-07-17', '2026-07-20', true],
    ['the first day is the last of the other', '2026-07-01', '2026-07-10', true],
    ['the day after', '2026-07-18', '2026-07-20', false],
    ['the day before', '2026-07-01', '2026-07-09', false],
  ])('%s: %s to %s is %s', (_, from, to, shared) => {
    expect(overlaps(stay, { from, to })).toBe(shared);
    expect(overlaps({ from, to }, stay)).toBe(shared);
  });
});
