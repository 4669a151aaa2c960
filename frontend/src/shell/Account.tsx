import { clsx } from 'clsx';
import { CircleUserRound } from 'lucide';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router-dom';

import { useT } from '../i18n/LanguageProvider';
import { lazyWithMessages } from '../lib/lazy';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { useAuth } from '../session/AuthProvider';
import { useLazyLoad } from '../ui/useLazyLoad';
import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import { LanguageSwitch } from './LanguageSwitch';
import type { MemberControlsProps } from './MemberControls';
import { DASHBOARD, HOME, JOIN, MenuLink, SIGN_IN } from './menus';
import * as styles from './SiteHeader.module.css';

/** The controls of a member with their messages, which visitors never load. */
export const LazyMemberControls = lazyWithMessages<MemberControlsProps>(
  () => import(/* webpackChunkName: "member-controls" */ './MemberControls'),
  ['app', 'sample-notifications'],
);

/** The controls of a signed-in member, or what visitors see, and members until their controls are loaded. */
export function Account({ children, ...props }: MemberControlsProps & { children: ReactNode }) {
  const { isAuthenticated, status } = useAuth();
  const { key } = useLocation();
  const { isLoaded, load } = useLazyLoad(LazyMemberControls);
  const preload = useEffectEvent(() => void load('optional'));

  // Load in parallel with the member, and try again on each page.
  useEffect(() => {
    if (status !== 'signed-out') preload();
  }, [status, key]);

  if (!isAuthenticated || !isLoaded) return children;
  return (
    <ErrorBoundary resetKey={key} fallback={children}>
      <LazyMemberControls {...props} />
    </ErrorBoundary>
  );
}

/**
 * The controls of a visitor (spec sections 2 and 6).
 *
 * Until their own controls are loaded, members see a plain avatar in place of Sign In and Join.
 */
export function VisitorControls({ home }: { home: boolean }) {
  const t = useT();
  return (
    <>
      <nav className={styles.visitor} aria-label={t('appBar.main')}>
        <ul className={styles.links}>
          {home && <MenuLink item={HOME} className={styles.onDesktop} linkClassName={styles.link} />}
          <MenuLink item={SIGN_IN} className="for-visitors" linkClassName={styles.link} />
          <MenuLink item={JOIN} className={clsx(styles.join, 'for-visitors')} linkClassName={styles.link} />
          <li className="for-members">
            <Link to={DASHBOARD.to} className="icon-button" aria-label={t(DASHBOARD.label)}>
              <Icon icon={CircleUserRound} size={32} />
            </Link>
          </li>
        </ul>
      </nav>
      <div className={clsx(styles.onDesktop, 'for-visitors')}>
        <LanguageSwitch />
      </div>
    </>
  );
}
