import { useIntl } from 'react-intl';

import * as styles from './Compass.module.css';

/** The letters with their centres in the drawing. */
const CARDINALS = [
  { letter: 'notFound.north', x: 0, y: -168 },
  { letter: 'notFound.east', x: 179, y: 11 },
  { letter: 'notFound.south', x: 0, y: 190 },
  { letter: 'notFound.west', x: -179, y: 11 },
] as const;

/** A ship's compass that swings without finding north. */
export function Compass() {
  const { formatMessage } = useIntl();
  return (
    <svg
      className={styles.compass}
      viewBox="-237 -237 474 474"
      fill="none"
      aria-hidden="true"
      focusable="false"
    >
      <circle r="236" className={styles.glass} />
      <circle r="236" className={styles.rim} />
      <g className={styles.card}>
        {/* The ticks are dashes of a circle of 360 units, shifted by half their width onto each degree. */}
        <circle
          r="216"
          pathLength="360"
          strokeDasharray="0.4 4.6"
          strokeDashoffset="0.2"
          className={styles.ticks}
        />
        <circle
          r="212"
          pathLength="360"
          strokeDasharray="0.7 29.3"
          strokeDashoffset="0.35"
          className={styles.points}
        />
        <circle r="150" className={styles.ring} />
        <circle r="56" className={styles.ring} />
        <path d="M0-150V-56M0 150V56M-150 0H-56M150 0H56" className={styles.ring} />
        <path
          d="M106-106 0 0 28-68zM106 106 0 0 68 28zM-106 106 0 0-28 68zM-106-106 0 0-68-28z"
          className={styles.half}
        />
        <path
          d="M106-106 0 0 68-28zM106 106 0 0 28 68zM-106 106 0 0-68 28zM-106-106 0 0-28-68z"
          className={styles.full}
        />
        <g className={styles.letters}>
          {CARDINALS.map(({ letter, x, y }) => (
            <text key={letter} x={x} y={y}>
              {formatMessage({ id: letter })}
            </text>
          ))}
        </g>
      </g>
      <g className={styles.needle}>
        <path d="M0-142 15 0H-15z" className={styles.north} />
        <path d="M0 142 15 0H-15z" className={styles.south} />
        <circle r="8" className={styles.pin} />
      </g>
    </svg>
  );
}
