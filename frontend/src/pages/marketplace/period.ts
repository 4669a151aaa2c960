import type { Day } from '../../calendar/day';

/** A range of days, both ends included. */
export interface Period {
  from: Day;
  to: Day;
}

/** A rental period as entered; an end that is not entered is an empty string. */
export type PeriodInput = Period;

/** Return what is wrong with a period, if anything: it ends before it starts, or starts in the past. */
export function validatePeriod({ from, to }: PeriodInput, today: Day): 'reversed' | 'past' | undefined {
  if (from && to && from > to) return 'reversed';
  const first = from || to;
  return first && first < today ? 'past' : undefined;
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
