import { clsx } from 'clsx';
import { CircleCheck } from 'lucide';
import { memo } from 'react';
import { useIntl } from 'react-intl';

import { Icon } from '../../ui/Icon';
import type { SailingEvent } from '../../events/event';
import * as styles from './EventPill.module.css';
import { TYPE_ICONS, TYPE_LABELS } from './labels';
import * as typeColour from './typeColour.module.css';
import { useFormats } from './useFormats';

interface EventPillProps {
  event: SailingEvent;
  onOpen: (event: SailingEvent) => void;
}

/** An event in the little room that a day of the calendar has. */
export const EventPill = memo(function EventPill({ event, onOpen }: EventPillProps) {
  const { formatMessage } = useIntl();
  const format = useFormats();
  const { title, type, isRegistered } = event;
  const time = format.start(event);
  return (
    <button
      type="button"
      className={clsx(typeColour.typed, styles.pill)}
      data-type={type}
      aria-haspopup="dialog"
      aria-label={formatMessage(
        { id: 'events.pill' },
        { title, time, type: formatMessage({ id: TYPE_LABELS[type] }), registered: String(isRegistered) },
      )}
      onClick={() => onOpen(event)}
    >
      <span className={styles.title} lang="en">
        {title}
      </span>
      <span className={styles.time}>
        <Icon of={TYPE_ICONS[type]} size={14} />
        {time}
        {isRegistered && <Icon of={CircleCheck} size={14} />}
      </span>
    </button>
  );
});
