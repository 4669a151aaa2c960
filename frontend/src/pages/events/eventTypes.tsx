import { Flag, GraduationCap, type IconNode, Sailboat, Users } from 'lucide';
import { clsx } from 'clsx';

import type { EventType } from '../../features/events/event';
import type { MessageId } from '../../i18n/catalogues';
import { Icon } from '../../ui/Icon';
import * as styles from './eventTypes.module.css';

/** The most events of a day that the calendar shows (spec section 9). */
export const MAX_EVENTS_PER_DAY = 3;

/** How each type of event is named and marked. */
export const EVENT_TYPE_DISPLAY: Record<EventType, { label: MessageId; plural: MessageId; icon: IconNode }> =
  {
    race: { label: 'events.race', plural: 'events.races', icon: Flag },
    trip: { label: 'events.trip', plural: 'events.trips', icon: Sailboat },
    gathering: { label: 'events.gathering', plural: 'events.gatherings', icon: Users },
    training: { label: 'events.training', plural: 'events.trainings', icon: GraduationCap },
  };

/** Render the icon of an event type in its color; it is decorative and needs a label beside it. */
export function TypeMark({ type }: { type: EventType }) {
  return (
    <span className={clsx(styles.typeColor, styles.mark)} data-type={type}>
      <Icon icon={EVENT_TYPE_DISPLAY[type].icon} size={12} />
    </span>
  );
}
