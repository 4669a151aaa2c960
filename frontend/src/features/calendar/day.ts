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
