import { clsx } from 'clsx';
import { CircleUser } from 'lucide';

import { useT } from '../i18n/LanguageProvider';
import { useAuth } from '../session/AuthProvider';
import { getFullName } from '../session/member';
import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import * as styles from './SignedInNotice.module.css';

/** Tells a visitor who is already signed in. */
export function SignedInNotice() {
  const t = useT();
  const { user } = useAuth();
  if (!user) return null;
  return (
    <div className={styles.notice}>
      <Icon icon={CircleUser} />
      <p>{t('auth.signedInAs', { name: getFullName(user) })}</p>
      <Link to="/dashboard" className={clsx('target', styles.dashboard)}>
        {t('auth.toDashboard')}
      </Link>
    </div>
  );
}
