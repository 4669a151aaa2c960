import { useIntl } from 'react-intl';

import { useNumberFormats } from '../../i18n/useNumberFormats';
import { type Day, getFirstDay, type Month, toDate } from '../calendar';

export const EVENT_TYPES = ['race', 'trip', 'gathering', 'training'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event of the calendar (spec section 3, Event). Its day and times are local to its place. */
export interface SailingEvent {
  id: string;
  title: string;
  type: EventType;
  date: Day;
  /** As `09:30`, before `endTime` on the same day. */
  startTime: string;
  endTime: string;
  location: string;
  description: string;
  organizer: string;
  /** The number of people who have registered. */
  participants: number;
  /** Unlimited when left out. */
  maxParticipants?: number;
  /** In US dollars; free when left out. */
  price?: number;
  difficulty: 'all' | 'beginner' | 'intermediate' | 'advanced';
  /** Whether the current member has registered. */
  isRegistered: boolean;
  status: 'upcoming';
}

/** Group events by day; days without events are left out. */
export function groupByDay(events: readonly SailingEvent[]): ReadonlyMap<Day, readonly SailingEvent[]> {
  const days = new Map<Day, SailingEvent[]>();
  for (const event of events) days.set(event.date, [...(days.get(event.date) ?? []), event]);
  return days;
}

/** Return the next events, those of today included. */
export function findUpcomingEvents(events: readonly SailingEvent[], today: Day, limit: number) {
  return events.filter(({ date }) => date >= today).slice(0, limit);
}

/** Return functions that format days, times and prices in the language of the page. */
export function useEventFormats() {
  const { formatDate, formatTime, formatDateTimeRange, formatMessage } = useIntl();
  const formats = useNumberFormats();
  // Days and times of events are local to their place, so they are parsed and formatted in one fixed zone.
  const timeZone = 'UTC';
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
