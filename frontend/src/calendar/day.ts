/**
 * A day of the calendar as `2026-07-14`: a date without an hour and a time zone, the same wherever it is read.
 * Such texts compare as the days do.
 */
export type Day = string;

/** The day that it is where the visitor is. */
export function dayOf(moment: Date): Day {
  const year = String(moment.getFullYear()).padStart(4, '0');
  const month = String(moment.getMonth() + 1).padStart(2, '0');
  return `${year}-${month}-${String(moment.getDate()).padStart(2, '0')}`;
}

/** Whether a text is a day that the calendar has; 2026-02-30 is none. */
export function isDay(text: string): text is Day {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = momentOf(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** The moment that stands for a day where dates are counted and written, always in UTC. */
export function momentOf(day: Day): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** The day so many days later, or earlier when the number is negative. */
export function addDays(day: Day, count: number): Day {
  const moment = momentOf(day);
  moment.setUTCDate(moment.getUTCDate() + count);
  return moment.toISOString().slice(0, 10);
}
