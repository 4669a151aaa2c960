import { clsx } from 'clsx';
import { ArrowLeft } from 'lucide';
import { FormattedMessage } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { trackButton } from '../../consent/track';
import oceanPoster from '@media/ocean-poster.avif?picture';
import type { MenuItem } from '../../menus/menus';
import { useGoBack } from '../../routing/useGoBack';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { Compass } from './Compass';
import { HELP_BY_PATH } from './help';
import * as styles from './NotFoundPage.module.css';

export { SceneLayout as Layout } from '../../layouts/SceneLayout';

/** The full-screen menu (spec section 2, 404). */
export const menu: readonly MenuItem[] = [
  { label: 'notFound.sailorRegistration', to: '/landing-sailors' },
  { label: 'notFound.companyRegistration', to: '/landing-companies' },
  { label: 'navigation.about', to: '/about' },
  { label: 'notFound.contact', to: '/contact' },
];

/** The page of every unknown path (spec section 2, 404). It helps those who followed a link of the site. */
export default function NotFoundPage() {
  const help = HELP_BY_PATH[useLocation().pathname.replace(/\/+$/, '')];
  const goBack = useGoBack();

  function leave() {
    trackButton('go_back', 'not-found');
    goBack();
  }

  return (
    <>
      <OpenWater />
      <div className={styles.content}>
        <div className={clsx(styles.compass, help && styles.aside)}>
          <Compass />
        </div>
        <div>
          <p className={styles.eyebrow}>
            <FormattedMessage id="notFound.eyebrow" />
          </p>
          <h1 className={styles.title}>
            <FormattedMessage id="notFound.title" />
          </h1>
          <p className={styles.lead}>
            <FormattedMessage id="notFound.text" />
          </p>
          {help}
          <Button className={styles.back} onClick={leave}>
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
