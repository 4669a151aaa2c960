import type { Day } from '../calendar/day';

export const EVENT_TYPES = ['race', 'trip', 'gathering', 'training'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Whom it suits; an event without a skill to bring suits all. */
export type Difficulty = 'all' | 'beginner' | 'intermediate' | 'advanced';

/** Something to sail to (spec section 3, Event). Its day and its hours are those of its place. */
export interface SailingEvent {
  id: string;
  title: string;
  type: EventType;
  date: Day;
  /** As `09:30`, and before `endTime`: it begins and ends on one day. */
  startTime: string;
  endTime: string;
  location: string;
  description: string;
  organizer: string;
  /** How many take part so far. */
  participants: number;
  /** How many can; without it as many as like. */
  maxParticipants?: number;
  /** In US dollars; without it nobody pays. */
  price?: number;
  difficulty: Difficulty;
  /** Whether the member who looks at it takes part. */
  isRegistered: boolean;
  status: 'upcoming';
}
