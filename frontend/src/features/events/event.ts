import type { Day } from '../calendar/day';
import { getMonth, type Month } from '../calendar/month';

export const EVENT_TYPES = ['race', 'trip', 'gathering', 'training'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type Difficulty = 'all' | 'beginner' | 'intermediate' | 'advanced';

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
  difficulty: Difficulty;
  /** Whether the current member has registered. */
  isRegistered: boolean;
  status: 'upcoming';
}

/** Limits of spec section 9. */
export const MAX_EVENTS_PER_DAY = 3;
const MAX_UPCOMING_EVENTS = 5;

/** Return the events of a type, or all events. */
export function filterByType(events: readonly SailingEvent[], type: EventType | ''): readonly SailingEvent[] {
  return type ? events.filter((event) => event.type === type) : events;
}

/** Group events by day; days without events are left out. */
export function groupByDay(events: readonly SailingEvent[]): ReadonlyMap<Day, readonly SailingEvent[]> {
  const days = new Map<Day, SailingEvent[]>();
  for (const event of events) {
    const day = days.get(event.date);
    if (day) day.push(event);
    else days.set(event.date, [event]);
  }
  return days;
}

/** Count the events in a month. */
export function countInMonth(events: readonly SailingEvent[], month: Month): number {
  return events.filter(({ date }) => getMonth(date) === month).length;
}

/** Return the next events, those of today included. */
export function findUpcomingEvents(
  events: readonly SailingEvent[],
  today: Day,
  limit = MAX_UPCOMING_EVENTS,
): readonly SailingEvent[] {
  return events.filter(({ date }) => date >= today).slice(0, limit);
}

/** Split the events of a day into those that the calendar shows and the number of the rest. */
export function limitPerDay(events: readonly SailingEvent[]): {
  shown: readonly SailingEvent[];
  more: number;
} {
  return {
    shown: events.slice(0, MAX_EVENTS_PER_DAY),
    more: Math.max(events.length - MAX_EVENTS_PER_DAY, 0),
  };
}

/** Return the number of free places, or undefined when places are unlimited. */
export function countPlacesLeft({ participants, maxParticipants }: SailingEvent): number | undefined {
  return maxParticipants === undefined ? undefined : Math.max(maxParticipants - participants, 0);
}
