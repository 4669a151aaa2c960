import { CircleUser } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { fullNameOf } from '../session/memberName';
import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import * as styles from './AuthIntro.module.css';

interface AuthIntroProps {
  title: string;
  lead: string;
  /** Whether a visitor who is signed in already is told so. */
  isSessionTold: boolean;
}

/** What stands above the form of sign-up and of sign-in. Who is signed in already learns so there, and stays. */
export function AuthIntro({ title, lead, isSessionTold }: AuthIntroProps) {
  const { user, isAuthenticated } = useAuth();
  return (
    <div className={styles.intro}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.lead}>{lead}</p>
      {isSessionTold && isAuthenticated && user && (
        <div className={styles.session}>
          <Icon of={CircleUser} />
          <p>
            <FormattedMessage id="auth.signedInAs" values={{ name: fullNameOf(user) }} />
          </p>
          <Link to="/dashboard" className={styles.dashboard}>
            <FormattedMessage id="auth.toDashboard" />
          </Link>
        </div>
      )}
    </div>
  );
}
