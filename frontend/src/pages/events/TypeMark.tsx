import { clsx } from 'clsx';

import { Icon } from '../../ui/Icon';
import type { EventType } from '../../events/event';
import { TYPE_ICONS } from './labels';
import * as typeColour from './typeColour.module.css';
import * as styles from './TypeMark.module.css';

/** The sign of an event's type in its colour; the type's name stands by it. */
export function TypeMark({ type }: { type: EventType }) {
  return (
    <span className={clsx(typeColour.typed, styles.mark)} data-type={type}>
      <Icon of={TYPE_ICONS[type]} size={12} />
    </span>
  );
}
