import { clsx } from 'clsx';
import { CircleCheck } from 'lucide';
import { memo } from 'react';
import { useIntl } from 'react-intl';

import type { SailingEvent } from '../../features/events/event';
import { useEventFormats } from '../../features/events/useEventFormats';
import { Icon } from '../../ui/Icon';
import * as styles from './EventPill.module.css';
import { EVENT_TYPE_DISPLAY } from './eventTypes';
import * as eventTypes from './eventTypes.module.css';

interface EventPillProps {
  event: SailingEvent;
  /** Whether to leave out the time. */
  isCompact: boolean;
  onOpen: (event: SailingEvent) => void;
}

/** Render an event in a cell of the calendar. */
export const EventPill = memo(function EventPill({ event, isCompact, onOpen }: EventPillProps) {
  const { formatMessage } = useIntl();
  const format = useEventFormats();
  const { title, type, isRegistered } = event;
  const time = format.start(event);
  return (
    <button
      type="button"
      className={clsx(eventTypes.typeColor, styles.pill)}
      data-type={type}
      data-compact={isCompact}
      aria-haspopup="dialog"
      aria-label={formatMessage(
        { id: 'events.pill' },
        {
          title,
          time,
          type: formatMessage({ id: EVENT_TYPE_DISPLAY[type].label }),
          registered: String(isRegistered),
        },
      )}
      onClick={() => onOpen(event)}
    >
      <span className={styles.title}>{title}</span>
      <span className={styles.time}>
        <Icon icon={EVENT_TYPE_DISPLAY[type].icon} size={14} />
        {!isCompact && <span>{time}</span>}
        {isRegistered && <Icon icon={CircleCheck} size={14} />}
      </span>
    </button>
  );
});
