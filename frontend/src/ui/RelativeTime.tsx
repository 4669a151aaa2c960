import { useState } from 'react';
import { useIntl } from 'react-intl';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Render how long ago a moment was: "2 hours ago", "yesterday". */
export function RelativeTime({ dateTime }: { /** ISO 8601, in the past. */ dateTime: string }) {
  const { locale } = useIntl();
  const [now] = useState(Date.now);
  return <time dateTime={dateTime}>{formatAge(now - Date.parse(dateTime), locale)}</time>;
}

function formatAge(age: number, locale: string): string {
  const formatter = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (age < HOUR_MS) return formatter.format(-Math.floor(age / MINUTE_MS), 'minute');
  if (age < DAY_MS) return formatter.format(-Math.floor(age / HOUR_MS), 'hour');
  return formatter.format(-Math.floor(age / DAY_MS), 'day');
}
