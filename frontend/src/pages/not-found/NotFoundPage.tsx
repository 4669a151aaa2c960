import { clsx } from 'clsx';
import { ArrowLeft } from 'lucide';
import { FormattedMessage } from 'react-intl';
import { useT } from '../../i18n/LanguageProvider';

import oceanPoster from '@media/ocean-poster.avif?picture';
import type { MenuItem } from '../../shell/menus';
import { useShownLocation } from '../../lib/router/shownLocation';
import { useGoBack } from '../../lib/router/useGoBack';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { HELP_BY_PATH } from './help';
import * as styles from './NotFoundPage.module.css';

export { SceneLayout as Layout } from '../../shell/SceneLayout';

/** The full-screen menu (spec section 2, 404). */
export const menu: readonly MenuItem[] = [
  { label: 'notFound.sailorRegistration', to: '/landing-sailors' },
  { label: 'notFound.companyRegistration', to: '/landing-companies' },
  { label: 'navigation.about', to: '/about' },
  { label: 'notFound.contact', to: '/contact' },
];

/** The page of every unknown path (spec section 2, 404). It helps those who followed a link of the site. */
export default function NotFoundPage() {
  const t = useT();
  const help = HELP_BY_PATH[useShownLocation().pathname.replace(/\/+$/, '')];
  const goBack = useGoBack();

  return (
    <>
      <OpenWater />
      <div className={styles.content}>
        <div className={clsx(styles.compass, help && styles.aside)}>
          <Compass />
        </div>
        <div>
          <p className={clsx('eyebrow', styles.eyebrow)}>{t('notFound.eyebrow')}</p>
          <h1 className={styles.title}>{t('notFound.title')}</h1>
          <p className={styles.lead}>{t('notFound.text')}</p>
          {help}
          <Button className={clsx(styles.back, 'needs-script')} data-track="go_back" onClick={goBack}>
            <Icon icon={ArrowLeft} size={20} />
            <FormattedMessage id="notFound.goBack" />
          </Button>
        </div>
      </div>
    </>
  );
}

/** The left part of the picture, without the yacht, as background. */
function OpenWater() {
  return (
    <div className={styles.water} aria-hidden="true">
      <Picture files={oceanPoster} alt="" sizes="max(165vw, 178vh)" className={styles.picture} />
    </div>
  );
}

/** The letters with their centres in the drawing. */
const CARDINALS = [
  { letter: 'notFound.north', x: 0, y: -168 },
  { letter: 'notFound.east', x: 179, y: 11 },
  { letter: 'notFound.south', x: 0, y: 190 },
  { letter: 'notFound.west', x: -179, y: 11 },
] as const;

/** A ship's compass that swings without finding north. */
function Compass() {
  const t = useT();
  return (
    <svg
      className={styles.compassDrawing}
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
              {t(letter)}
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
