import type { Day } from '../calendar/day';
import { type Month, monthOf } from '../calendar/month';
import type { EventType, SailingEvent } from './event';

/** How many events of a day the calendar shows, and how many are upcoming (spec section 9). */
export const EVENTS_A_DAY = 3;
export const UPCOMING_EVENTS = 5;

/** Events in the order in which they begin; of two that begin together, the one that ends first. */
export function inOrder(events: readonly SailingEvent[]): readonly SailingEvent[] {
  const moment = ({ date, startTime, endTime }: SailingEvent) => `${date} ${startTime} ${endTime}`;
  return events
    .map((event) => ({ event, begins: moment(event) }))
    .sort((one, other) => (one.begins < other.begins ? -1 : Number(one.begins > other.begins)))
    .map(({ event }) => event);
}

/** The events of a type, or all of them. */
export function ofType(events: readonly SailingEvent[], type: EventType | ''): readonly SailingEvent[] {
  return type ? events.filter((event) => event.type === type) : events;
}

/** The events of each day that has any, in the order in which they were given. */
export function byDay(events: readonly SailingEvent[]): ReadonlyMap<Day, readonly SailingEvent[]> {
  const days = new Map<Day, SailingEvent[]>();
  for (const event of events) {
    const day = days.get(event.date);
    if (day) day.push(event);
    else days.set(event.date, [event]);
  }
  return days;
}

/** How many of the events are in a month. */
export function countIn(month: Month, events: readonly SailingEvent[]): number {
  return events.filter(({ date }) => monthOf(date) === month).length;
}

/** The first few of some events in order that are still to come; one of today is, all day long. */
export function upcomingFrom(today: Day, events: readonly SailingEvent[]): readonly SailingEvent[] {
  return events.filter(({ date }) => date >= today).slice(0, UPCOMING_EVENTS);
}

/** What the calendar shows of a day's events, and how many more there are. */
export function shownOf(events: readonly SailingEvent[]): { shown: readonly SailingEvent[]; more: number } {
  return { shown: events.slice(0, EVENTS_A_DAY), more: Math.max(events.length - EVENTS_A_DAY, 0) };
}

/** How many can still join; nothing when there is room for everyone. */
export function placesLeft({ participants, maxParticipants }: SailingEvent): number | undefined {
  return maxParticipants === undefined ? undefined : Math.max(maxParticipants - participants, 0);
}
