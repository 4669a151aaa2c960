import { useIntl } from 'react-intl';

import { type Day, momentOf } from '../../calendar/day';
import { firstDayOf, type Month } from '../../calendar/month';
import type { SailingEvent } from '../../events/event';
import { usePrice } from '../../i18n/usePrice';

/** How the screen writes days, hours and money in the language of the page. */
export function useFormats() {
  const { formatDate, formatTime, formatDateTimeRange, formatMessage } = useIntl();
  const formatPrice = usePrice();

  // A day and its hours are the same wherever they are read, so they are counted and written in one zone.
  const timeZone = 'UTC';
  const moment = ({ date }: SailingEvent, time: string) => new Date(`${date}T${time}:00Z`);

  return {
    /** July 2026 */
    month: (month: Month) =>
      formatDate(momentOf(firstDayOf(month)), { month: 'long', year: 'numeric', timeZone }),
    /** Tuesday, July 14 */
    day: (day: Day) =>
      formatDate(momentOf(day), { weekday: 'long', month: 'long', day: 'numeric', timeZone }),
    /** Tuesday, July 14, 2026 */
    fullDay: (day: Day) => formatDate(momentOf(day), { dateStyle: 'full', timeZone }),
    /** Jul 14 */
    shortDay: (day: Day) => formatDate(momentOf(day), { month: 'short', day: 'numeric', timeZone }),
    /** Jul */
    shortMonth: (day: Day) => formatDate(momentOf(day), { month: 'short', timeZone }),
    weekday: (day: Day, length: 'long' | 'short' | 'narrow') =>
      formatDate(momentOf(day), { weekday: length, timeZone }),
    /** 9:30 AM */
    start: (event: SailingEvent) =>
      formatTime(moment(event, event.startTime), { timeStyle: 'short', timeZone }),
    /** 9:30 AM – 1:00 PM */
    hours: (event: SailingEvent) =>
      formatDateTimeRange(moment(event, event.startTime), moment(event, event.endTime), {
        timeStyle: 'short',
        timeZone,
      }),
    /** $49, or that it is free */
    price: ({ price }: SailingEvent) =>
      price === undefined ? formatMessage({ id: 'events.free' }) : formatPrice(price),
  };
}

/** The number of a day in its month. */
export function dateOf(day: Day): number {
  return momentOf(day).getUTCDate();
}
