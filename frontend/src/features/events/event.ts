import type { Day } from '../../calendar/day';

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
