import { clsx } from 'clsx';

import { getDayOfMonth, type Day } from '../calendar';
import * as styles from './DateTile.module.css';
import { useEventFormats } from './event';

interface DateTileProps {
  day: Day;
  id?: string;
  className?: string | undefined;
}

/** A day as on a tear-off calendar: the month above the date. */
export function DateTile({ day, id, className }: DateTileProps) {
  const format = useEventFormats();
  return (
    <time id={id} dateTime={day} className={clsx(styles.tile, className)}>
      <span aria-hidden="true" className={styles.month}>
        {format.shortMonth(day)}
      </span>
      <span aria-hidden="true" className={styles.date}>
        {getDayOfMonth(day)}
      </span>
      <span className="visually-hidden">{format.day(day)}</span>
    </time>
  );
}
