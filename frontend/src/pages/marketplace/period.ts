import type { Day } from '../../calendar/day';

/** Some days in a row, the first and the last among them. */
export interface Period {
  from: Day;
  to: Day;
}

/** A rental period as it was asked for: either end may be open, and is empty then. */
export type AskedPeriod = Period;

/** Why nothing can be rented in a period: it ends before it begins, or begins before today. */
export function periodProblem({ from, to }: AskedPeriod, today: Day): 'reversed' | 'past' | undefined {
  if (from && to && from > to) return 'reversed';
  const first = from || to;
  return first && first < today ? 'past' : undefined;
}

/** The days that are asked for: with one end open it is that one day, with a problem or both ends open there are none. */
export function periodOf(asked: AskedPeriod, today: Day): Period | undefined {
  const from = asked.from || asked.to;
  if (!from || periodProblem(asked, today)) return undefined;
  return { from, to: asked.to || from };
}

/** Whether two periods share a day. */
export function overlap(one: Period, other: Period): boolean {
  return one.from <= other.to && other.from <= one.to;
}
