import { clsx } from 'clsx';
import { ArrowRight, Building2, Pause, Play, Sailboat } from 'lucide';

import { track } from '../../consent/track';
import { useT } from '../../i18n/LanguageProvider';
import { Icon, IconDisc } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { Link } from '../../ui/Link';
import * as styles from './CrossroadPage.module.css';
import { Ocean, useFilm } from './Ocean';

export { SceneLayout as Layout } from '../../shell/SceneLayout';

const PATHS = [
  {
    userType: 'sailor',
    to: '/landing-sailors',
    icon: Sailboat,
    title: 'crossroad.sailor',
    offer: 'crossroad.sailorOffer',
  },
  {
    userType: 'company',
    to: '/landing-companies',
    icon: Building2,
    title: 'crossroad.company',
    offer: 'crossroad.companyOffer',
  },
] as const;

/** Render `/`: the choice between sailors and companies (spec section 2, Crossroad). */
export default function CrossroadPage() {
  const t = useT();
  const film = useFilm();

  return (
    <>
      <Ocean film={film} />
      <div className={styles.content}>
        <p className="eyebrow">{t('crossroad.eyebrow')}</p>
        <h1 className={styles.headline}>{t('crossroad.headline')}</h1>
        <p className={styles.lead}>{t('crossroad.lead')}</p>
        <ul className={styles.paths}>
          {PATHS.map(({ userType, to, icon, title, offer }) => (
            <li key={to}>
              <Link
                to={to}
                className={styles.panel}
                onClick={() => track('user_type_selection', { user_type: userType, location: 'crossroad' })}
              >
                <IconDisc icon={icon} />
                <span>
                  <span className={styles.title}>{t(title)}</span>
                  <span className={styles.offer}>{t(offer)}</span>
                </span>
                <span className={styles.arrow}>
                  <Icon icon={ArrowRight} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
        <div className={styles.aside}>
          <Link to="/landing" className={clsx('target', styles.overview)}>
            {t('crossroad.overview')}
          </Link>
          {film.isWanted && (
            <IconButton
              icon={film.isPlaying ? Pause : Play}
              size={20}
              label={t(film.isPlaying ? 'crossroad.pauseVideo' : 'crossroad.playVideo')}
              className={styles.toggle}
              onClick={film.toggle}
            />
          )}
        </div>
      </div>
    </>
  );
}
