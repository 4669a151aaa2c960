import { clsx } from 'clsx';
import { CircleUser } from 'lucide';
import type { ReactNode } from 'react';

import { useT } from '../i18n/LanguageProvider';
import { passFocusOn } from '../lib/pageStart';
import { useAuth } from '../session/AuthProvider';
import { getFullName } from '../session/member';
import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import * as styles from './AuthIntro.module.css';

interface AuthIntroProps {
  title: string;
  lead: string;
  /** Whether to tell a visitor who is already signed in. */
  showSignedInNotice?: boolean;
}

/** The heading of a page with a form, with a notice for a visitor who is already signed in. */
export function AuthIntro({ title, lead, showSignedInNotice }: AuthIntroProps) {
  const t = useT();
  const { user, isAuthenticated } = useAuth();
  return (
    <div className={styles.intro}>
      <h1 ref={passFocusOn} className={clsx('heading', styles.title)}>
        {title}
      </h1>
      <p className={styles.lead}>{lead}</p>
      {showSignedInNotice && isAuthenticated && user && (
        <div className={styles.session}>
          <Icon icon={CircleUser} />
          <p>{t('auth.signedInAs', { name: getFullName(user) })}</p>
          <Link to="/dashboard" className={clsx('target', styles.dashboard)}>
            {t('auth.toDashboard')}
          </Link>
        </div>
      )}
    </div>
  );
}

/** The links below the sign-up and sign-in forms; each paragraph stays on one line where it fits. */
export function AuthLinks({ children }: { children: ReactNode }) {
  return <div className={styles.links}>{children}</div>;
}
