import { clsx } from 'clsx';

import type { EventType } from '../../features/events/event';
import { Icon } from '../../ui/Icon';
import { EVENT_TYPE_DISPLAY } from './eventTypes';
import * as typeColour from './typeColour.module.css';
import * as styles from './TypeMark.module.css';

/** Render the icon of an event type in its colour; it is decorative and needs a label beside it. */
export function TypeMark({ type }: { type: EventType }) {
  return (
    <span className={clsx(typeColour.typed, styles.mark)} data-type={type}>
      <Icon of={EVENT_TYPE_DISPLAY[type].icon} size={12} />
    </span>
  );
}
