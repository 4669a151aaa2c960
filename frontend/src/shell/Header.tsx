import { useIntl } from 'react-intl';

import { Link } from '../ui/Link';
import { Logo } from '../ui/Logo';
import { Account, VisitorControls } from './Account';
import * as styles from './Header.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import type { MenuItem } from './menus';
import { OverlayMenu } from './OverlayMenu';

interface HeaderProps {
  menu?: readonly MenuItem[] | undefined;
  /** Whether it shows Sign In and Join, or the menu of the member. */
  hasAccount: boolean;
}

/** The header of a page without a navigation bar. */
export function Header({ menu, hasAccount }: HeaderProps) {
  const { formatMessage } = useIntl();
  return (
    <header className={styles.header}>
      <Link to="/" className={styles.home} aria-label={formatMessage({ id: 'appBar.home' })}>
        <Logo />
      </Link>
      <div className={styles.controls}>
        {hasAccount ? (
          <Account place="header">
            <VisitorControls />
          </Account>
        ) : (
          <LanguageSwitch />
        )}
        <OverlayMenu items={menu} isCompact={hasAccount} />
      </div>
    </header>
  );
}
