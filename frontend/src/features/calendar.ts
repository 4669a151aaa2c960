import { useSyncExternalStore } from 'react';

import type { Language } from '../i18n/languages';

/** An ISO 8601 date without a time or zone, such as `2026-07-14`. Days sort as strings. */
export type Day = string;

/** Return the local day of a moment. */
export function toDay(moment: Date): Day {
  const year = String(moment.getFullYear()).padStart(4, '0');
  const month = String(moment.getMonth() + 1).padStart(2, '0');
  return `${year}-${month}-${String(moment.getDate()).padStart(2, '0')}`;
}

/** Return whether a text is a day of the calendar; 2026-02-30 is not. */
export function isDay(text: string): text is Day {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = toDate(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Return the start of a day in UTC, for calculating and formatting in UTC. */
export function toDate(day: Day): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** Return the day of the month, from 1. */
export function getDayOfMonth(day: Day): number {
  return toDate(day).getUTCDate();
}

/** Return the day a number of days later, or earlier for a negative number. */
export function addDays(day: Day, count: number): Day {
  const date = toDate(day);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** A month in ISO 8601, such as `2026-07`. Months sort as strings. */
export type Month = string;

/** A day of the week, from 0 (Sunday), as `Date.getDay` returns it. */
type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/**
 * The first day of the week: Sunday in the United States, Monday in Czechia (Unicode CLDR).
 * Firefox does not support `Intl.Locale.prototype.getWeekInfo`.
 */
export const FIRST_WEEKDAY: Record<Language, Weekday> = { en: 0, cs: 1 };

const DAYS_A_WEEK = 7;

/** Return whether a text is a month of the years 1900 to 2199. */
export function isMonth(text: string): text is Month {
  return /^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/.test(text);
}

/** Return the month of a day. */
export function getMonth(day: Day): Month {
  return day.slice(0, 'YYYY-MM'.length);
}

/** Return the first day of a month. */
export function getFirstDay(month: Month): Day {
  return `${month}-01`;
}

/** Return the month a number of months later, or earlier for a negative number. */
export function addMonths(month: Month, count: number): Month {
  const date = toDate(getFirstDay(month));
  date.setUTCMonth(date.getUTCMonth() + count);
  return getMonth(date.toISOString());
}

/** Return the days of a month in order. */
export function listDays(month: Month): Day[] {
  return listDaysBetween(getFirstDay(month), getFirstDay(addMonths(month, 1)));
}

/** Return the whole weeks of a month; the first and the last may include days of adjacent months. */
export function listWeeks(month: Month, firstWeekday: Weekday): Day[][] {
  const first = getFirstDay(month);
  const next = getFirstDay(addMonths(month, 1));
  const before = (toDate(first).getUTCDay() - firstWeekday + DAYS_A_WEEK) % DAYS_A_WEEK;
  const weeks: Day[][] = [];
  for (let day = addDays(first, -before); day < next; day = addDays(day, DAYS_A_WEEK)) {
    weeks.push(listDaysBetween(day, addDays(day, DAYS_A_WEEK)));
  }
  return weeks;
}

/** Return the days from `first` up to, but not including, `end`. */
function listDaysBetween(first: Day, end: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; day < end; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Return the visitor's local day; re-render when it changes. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, readToday, readToday);
}

function readToday(): Day {
  return toDay(new Date());
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, 60_000);
  return () => clearInterval(timer);
}
