import { Flag, GraduationCap, type IconNode, Sailboat, Users } from 'lucide';

import type { Difficulty, EventType, SailingEvent } from '../../events/event';

/** What the values that an event has are called on the screen, and the sign of each type. */

export const TYPE_LABELS = {
  race: 'events.race',
  trip: 'events.trip',
  gathering: 'events.gathering',
  training: 'events.training',
} as const satisfies Record<EventType, string>;

/** The types as choices: there are several of each. */
export const TYPE_PLURALS = {
  race: 'events.races',
  trip: 'events.trips',
  gathering: 'events.gatherings',
  training: 'events.trainings',
} as const satisfies Record<EventType, string>;

export const TYPE_ICONS: Record<EventType, IconNode> = {
  race: Flag,
  trip: Sailboat,
  gathering: Users,
  training: GraduationCap,
};

export const DIFFICULTY_LABELS = {
  all: 'events.allLevels',
  beginner: 'events.beginner',
  intermediate: 'events.intermediate',
  advanced: 'events.advanced',
} as const satisfies Record<Difficulty, string>;

export const STATUS_LABELS = { upcoming: 'events.upcomingStatus' } as const satisfies Record<
  SailingEvent['status'],
  string
>;
