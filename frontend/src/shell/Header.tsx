import { useIntl } from 'react-intl';

import { Link } from '../ui/Link';
import { Logo } from '../ui/Logo';
import * as styles from './Header.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import type { MenuItem } from './menus';
import { OverlayMenu } from './OverlayMenu';

/** The header of a page without a navigation bar. */
export function Header({ menu }: { menu: readonly MenuItem[] }) {
  const { formatMessage } = useIntl();
  return (
    <header className={styles.header}>
      <Link to="/" className={styles.home} aria-label={formatMessage({ id: 'appBar.home' })}>
        <Logo />
      </Link>
      <div className={styles.controls}>
        <LanguageSwitch />
        <OverlayMenu items={menu} />
      </div>
    </header>
  );
}
