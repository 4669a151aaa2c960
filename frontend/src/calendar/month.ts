import { addDays, type Day, momentOf } from './day';

/** A month of the calendar as `2026-07`; such texts compare as the months do. */
export type Month = string;

/** A day of the week as JavaScript counts them: 0 is Sunday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

const DAYS_A_WEEK = 7;

/** Whether a text is a month, of a year that somebody may want to see. */
export function isMonth(text: string): text is Month {
  return /^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/.test(text);
}

/** The month that a day is in. */
export function monthOf(day: Day): Month {
  return day.slice(0, 'YYYY-MM'.length);
}

/** The first day of a month. */
export function firstDayOf(month: Month): Day {
  return `${month}-01`;
}

/** The month so many months later, or earlier when the number is negative. */
export function addMonths(month: Month, count: number): Month {
  const moment = momentOf(firstDayOf(month));
  moment.setUTCMonth(moment.getUTCMonth() + count);
  return monthOf(moment.toISOString());
}

/** The days of a month, in their order. */
export function daysOf(month: Month): Day[] {
  return daysBetween(firstDayOf(month), firstDayOf(addMonths(month, 1)));
}

/**
 * The weeks that a month is in, as a calendar's page has them: whole ones, so that the first and the last may hold
 * days of the months beside it.
 *
 * @param firstWeekday the day that weeks begin with
 */
export function weeksOf(month: Month, firstWeekday: Weekday): Day[][] {
  const first = firstDayOf(month);
  const next = firstDayOf(addMonths(month, 1));
  const before = (momentOf(first).getUTCDay() - firstWeekday + DAYS_A_WEEK) % DAYS_A_WEEK;
  const weeks: Day[][] = [];
  for (let day = addDays(first, -before); day < next; day = addDays(day, DAYS_A_WEEK)) {
    weeks.push(daysBetween(day, addDays(day, DAYS_A_WEEK)));
  }
  return weeks;
}

/** The days from one on to the one before another. */
function daysBetween(first: Day, end: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; day < end; day = addDays(day, 1)) days.push(day);
  return days;
}
