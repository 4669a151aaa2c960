import { clsx } from 'clsx';
import { ArrowRight, Building2, type IconNode, Pause, Play, Sailboat } from 'lucide';

import { useT } from '../../i18n/LanguageProvider';
import { track } from '../../consent/track';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import * as styles from './CrossroadPage.module.css';
import { Ocean, useOceanVideo } from './Ocean';

export { SceneLayout as Layout } from '../../shell/SceneLayout';

/** Render `/`: the choice between sailors and companies (spec section 2, Crossroad). */
export default function CrossroadPage() {
  const t = useT();
  const { element, wanted, playing, setPlaying, stopped, toggle } = useOceanVideo();

  return (
    <>
      <Ocean video={element} wanted={wanted} stopped={stopped} onPlayingChange={setPlaying} />
      <div className={styles.content}>
        <p className="eyebrow">{t('crossroad.eyebrow')}</p>
        <h1 className={styles.headline}>{t('crossroad.headline')}</h1>
        <p className={styles.lead}>{t('crossroad.lead')}</p>
        <ul className={styles.paths}>
          <li>
            <PathPanel
              userType="sailor"
              to="/landing-sailors"
              icon={Sailboat}
              title={t('crossroad.sailor')}
              offer={t('crossroad.sailorOffer')}
            />
          </li>
          <li>
            <PathPanel
              userType="company"
              to="/landing-companies"
              icon={Building2}
              title={t('crossroad.company')}
              offer={t('crossroad.companyOffer')}
            />
          </li>
        </ul>
        <div className={styles.aside}>
          <Link to="/landing" className={styles.overview}>
            {t('crossroad.overview')}
          </Link>
          {wanted && (
            <button
              type="button"
              className={clsx('icon-button', styles.toggle)}
              onClick={toggle}
              aria-label={t(playing ? 'crossroad.pauseVideo' : 'crossroad.playVideo')}
            >
              <Icon icon={playing ? Pause : Play} size={20} />
            </button>
          )}
        </div>
      </div>
    </>
  );
}

interface PathPanelProps {
  userType: 'sailor' | 'company';
  to: string;
  icon: IconNode;
  title: string;
  offer: string;
}

/** Render a link to one of the audiences. */
function PathPanel({ userType, to, icon, title, offer }: PathPanelProps) {
  return (
    <Link
      to={to}
      className={styles.panel}
      onClick={() => track('user_type_selection', { user_type: userType, location: 'crossroad' })}
    >
      <span className={styles.icon}>
        <Icon icon={icon} size={26} />
      </span>
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        <span className={styles.offer}>{offer}</span>
      </span>
      <span className={styles.arrow}>
        <Icon icon={ArrowRight} />
      </span>
    </Link>
  );
}
