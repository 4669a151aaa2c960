import type { Day } from '../../calendar/day';

/** A range of days, both ends included. */
export interface Period {
  from: Day;
  to: Day;
}

/** A rental period as entered; an end that is not entered is an empty string. */
export type PeriodInput = Period;

/** The length of a day whose year has four digits. */
const DAY_LENGTH = '9999-12-31'.length;

/** What is wrong with a period, and at which end. */
interface PeriodProblem {
  end: keyof PeriodInput;
  messageId: 'marketplace.periodYear' | 'marketplace.periodReversed' | 'marketplace.periodPast';
}

/** Return what is wrong with a period: a long year, an end before the start, or a start in the past; else undefined. */
export function validatePeriod(period: PeriodInput, today: Day): PeriodProblem | undefined {
  const { from, to } = period;
  const long = (['from', 'to'] as const).find((end) => period[end].length > DAY_LENGTH);
  if (long) return { end: long, messageId: 'marketplace.periodYear' };
  if (from && to && from > to) return { end: 'to', messageId: 'marketplace.periodReversed' };
  const first = from ? 'from' : 'to';
  return period[first] && period[first] < today
    ? { end: first, messageId: 'marketplace.periodPast' }
    : undefined;
}

/** Return the requested period: one day when one end is open, undefined when both are open or it is invalid. */
export function resolvePeriod(input: PeriodInput, today: Day): Period | undefined {
  const from = input.from || input.to;
  if (!from || validatePeriod(input, today)) return undefined;
  return { from, to: input.to || from };
}

/** Return whether two periods have a day in common. */
export function overlaps(one: Period, other: Period): boolean {
  return one.from <= other.to && other.from <= one.to;
}
