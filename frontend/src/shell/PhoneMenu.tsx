import { Menu } from 'lucide';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { Icon } from '../ui/Icon';
import { Disclosure, type DisclosureControl } from './Disclosure';
import { MenuPanel } from './MenuPanel';
import { DASHBOARD, HOME, JOIN, type MenuItem, SIGN_IN } from './menus';
import * as styles from './PhoneMenu.module.css';

interface PhoneMenuProps extends DisclosureControl {
  icon: ReactNode;
  /** The accessible name of the button. */
  label: string;
  items: readonly MenuItem[];
  /** Shown below the links. */
  children?: ReactNode;
}

/** The menu of the bar on phones, uncontrolled unless `open` is given. */
export function PhoneMenu({ icon, label, items, children, ...control }: PhoneMenuProps) {
  return (
    <Disclosure
      {...control}
      menu="phone"
      button={icon}
      label={label}
      className={styles.menu}
      buttonClassName={styles.button}
      panelClassName={styles.sheet}
    >
      <MenuPanel items={items}>{children}</MenuPanel>
    </Disclosure>
  );
}

/** The phone menu of a visitor (spec section 6), and of a member whose own is not loaded, on a page without its own menu. */
export function VisitorMenu() {
  const { formatMessage } = useIntl();
  const isSignedOut = useAuth().status === 'signed-out';
  return (
    <PhoneMenu
      icon={<Icon icon={Menu} />}
      label={formatMessage({ id: 'appBar.menu' })}
      items={isSignedOut ? [HOME, SIGN_IN, JOIN] : [HOME, DASHBOARD]}
    />
  );
}
