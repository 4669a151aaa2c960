import { Flag, GraduationCap, type IconNode, Sailboat, Users } from 'lucide';

import type { EventType } from '../../features/events/event';
import type { MessageId } from '../../i18n/catalogues';

interface EventTypeDisplay {
  label: MessageId;
  plural: MessageId;
  icon: IconNode;
}

/** How each type of event is named and marked. */
export const EVENT_TYPE_DISPLAY: Record<EventType, EventTypeDisplay> = {
  race: { label: 'events.race', plural: 'events.races', icon: Flag },
  trip: { label: 'events.trip', plural: 'events.trips', icon: Sailboat },
  gathering: { label: 'events.gathering', plural: 'events.gatherings', icon: Users },
  training: { label: 'events.training', plural: 'events.trainings', icon: GraduationCap },
};
