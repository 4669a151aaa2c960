import { useIntl } from 'react-intl';

import { type Day, toDate } from '../calendar/day';
import { getFirstDay, type Month } from '../calendar/month';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import type { SailingEvent } from './event';

// Days and times of events are local to their place, so they are parsed and formatted in one fixed zone.
const timeZone = 'UTC';

/** Return functions that format days, times and prices in the language of the page. */
export function useEventFormats() {
  const { formatDate, formatTime, formatDateTimeRange, formatMessage } = useIntl();
  const formats = useNumberFormats();
  const timeOf = ({ date }: SailingEvent, time: string) => new Date(`${date}T${time}:00Z`);
  return {
    /** July 2026 */
    month: (month: Month) =>
      formatDate(toDate(getFirstDay(month)), { month: 'long', year: 'numeric', timeZone }),
    /** Tuesday, July 14 */
    day: (day: Day) => formatDate(toDate(day), { weekday: 'long', month: 'long', day: 'numeric', timeZone }),
    /** Tuesday, July 14, 2026 */
    fullDay: (day: Day) => formatDate(toDate(day), { dateStyle: 'full', timeZone }),
    /** Jul 14 */
    shortDay: (day: Day) => formatDate(toDate(day), { month: 'short', day: 'numeric', timeZone }),
    /** Jul */
    shortMonth: (day: Day) => formatDate(toDate(day), { month: 'short', timeZone }),
    weekday: (day: Day, length: 'long' | 'short') => formatDate(toDate(day), { weekday: length, timeZone }),
    /** 9:30 AM */
    start: (event: SailingEvent) =>
      formatTime(timeOf(event, event.startTime), { timeStyle: 'short', timeZone }),
    /** 9:30 AM – 1:00 PM */
    hours: (event: SailingEvent) =>
      formatDateTimeRange(timeOf(event, event.startTime), timeOf(event, event.endTime), {
        timeStyle: 'short',
        timeZone,
      }),
    /** $49, Free */
    price: ({ price }: SailingEvent) =>
      price === undefined ? formatMessage({ id: 'events.free' }) : formats.price(price),
  };
}
