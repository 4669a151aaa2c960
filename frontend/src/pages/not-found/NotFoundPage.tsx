import { clsx } from 'clsx';
import { ArrowLeft } from 'lucide';
import { useLocation } from 'react-router-dom';

import compassCard from '@media/compass-card.svg';
import compassNeedle from '@media/compass-needle.svg';
import oceanPoster from '@media/ocean-poster.avif?picture';
import { useT } from '../../i18n/LanguageProvider';
import type { MenuItem } from '../../shell/menus';
import { useGoBack } from '../../lib/router/navigation';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { Help, HELP_PATHS } from './help';
import * as styles from './NotFoundPage.module.css';

export { SceneLayout as Layout } from '../../shell/SceneLayout';

/** The full-screen menu (spec section 2, 404). */
export const menu: readonly MenuItem[] = [
  { label: 'notFound.sailorRegistration', to: '/landing-sailors' },
  { label: 'notFound.companyRegistration', to: '/landing-companies' },
  { label: 'navigation.about', to: '/about' },
  { label: 'notFound.contact', to: '/contact' },
];

/** The page of every unknown path (spec section 2, 404). It helps those who followed a link of the site (ruling 26). */
export default function NotFoundPage() {
  const t = useT();
  const path = useLocation().pathname.replace(/\/+$/, '');
  const isHelp = HELP_PATHS.includes(path);
  const goBack = useGoBack();

  return (
    <>
      {/* The left part of the picture, without the yacht. */}
      <div className={styles.water} aria-hidden="true">
        <Picture files={oceanPoster} alt="" sizes="max(165vw, 178vh)" className={styles.picture} />
      </div>
      <div className={styles.content} data-help={isHelp}>
        {!isHelp && <Compass />}
        <div>
          {!isHelp && <p className="eyebrow second">{t('notFound.eyebrow')}</p>}
          <h1 className={clsx('heading', styles.title)}>{t('notFound.title')}</h1>
          {isHelp ? <Help path={path} /> : <p className={styles.lead}>{t('notFound.text')}</p>}
          <Button
            variant={isHelp ? 'ghost' : 'primary'}
            className={clsx(styles.back, 'needs-script')}
            data-track="go_back"
            onClick={goBack}
          >
            <Icon icon={ArrowLeft} size={20} />
            <span>{t('notFound.goBack')}</span>
          </Button>
        </div>
      </div>
    </>
  );
}

/** The letters with their centers in the drawing. */
const CARDINALS = [
  { letter: 'notFound.north', x: 0, y: -168 },
  { letter: 'notFound.east', x: 179, y: 11 },
  { letter: 'notFound.south', x: 0, y: 190 },
  { letter: 'notFound.west', x: -179, y: 11 },
] as const;

/** The drawings fill the view box of the compass. */
const FILLING = { x: -237, y: -237, width: 474, height: 474 };

/** A ship's compass that swings without finding north. */
function Compass() {
  const t = useT();
  return (
    <svg className={styles.compass} viewBox="-237 -237 474 474" aria-hidden="true" focusable="false">
      <g className={styles.card}>
        <image href={compassCard} {...FILLING} />
        {CARDINALS.map(({ letter, x, y }) => (
          <text key={letter} x={x} y={y}>
            {t(letter)}
          </text>
        ))}
      </g>
      <image className={styles.needle} href={compassNeedle} {...FILLING} />
    </svg>
  );
}
