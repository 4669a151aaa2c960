import { LogOut } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { Icon } from '../ui/Icon';
import * as styles from './MenuPanel.module.css';
import { useSignOut } from './useSignOut';

export function SignOutButton() {
  const signOut = useSignOut();

  return (
    <button type="button" className={styles.line} onClick={() => void signOut()}>
      <FormattedMessage id="memberBar.signOut" />
      <Icon of={LogOut} size={18} />
    </button>
  );
}
