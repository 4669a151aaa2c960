import { clsx } from 'clsx';
import { CircleUser } from 'lucide';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { getFullName } from '../session/member';
import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import * as styles from './AuthIntro.module.css';

interface AuthIntroProps {
  title: string;
  lead: string;
  /** Whether to tell a visitor who is already signed in. */
  showSignedInNotice: boolean;
}

/** The heading of the sign-up and sign-in pages, with a notice for a visitor who is already signed in. */
export function AuthIntro({ title, lead, showSignedInNotice }: AuthIntroProps) {
  const { user, isAuthenticated } = useAuth();
  return (
    <div className={styles.intro}>
      <h1 className={clsx('heading', styles.title)}>{title}</h1>
      <p className={styles.lead}>{lead}</p>
      {showSignedInNotice && isAuthenticated && user && (
        <div className={styles.session}>
          <Icon icon={CircleUser} />
          <p>
            <FormattedMessage id="auth.signedInAs" values={{ name: getFullName(user) }} />
          </p>
          <Link to="/dashboard" className={styles.dashboard}>
            <FormattedMessage id="auth.toDashboard" />
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
