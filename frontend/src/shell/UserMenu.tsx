import { ChevronDown } from 'lucide';

import { Icon } from '../ui/Icon';
import { Disclosure } from './Disclosure';
import { NOTIFICATIONS, USER_MENU } from './memberMenus';
import { MenuPanel } from './MenuPanel';
import { SignOutButton } from './SignOutButton';
import { DESKTOP_LIMIT } from './unread';
import { UnreadBadge } from './UnreadBadge';
import * as styles from './UserMenu.module.css';

interface UserMenuProps {
  firstName: string;
  unread: number;
}

/** The member's own menu, on screens that have room for the bar's links (spec section 2, Navigation bar). */
export function UserMenu({ firstName, unread }: UserMenuProps) {
  return (
    <Disclosure
      menu="user"
      button={
        <>
          <span className={styles.name}>{firstName}</span>
          <Icon of={ChevronDown} size={18} />
        </>
      }
      className={styles.menu}
      buttonClassName={styles.button}
      panelClassName={styles.panel}
    >
      <MenuPanel
        items={USER_MENU}
        beside={(item) => item === NOTIFICATIONS && <UnreadBadge count={unread} limit={DESKTOP_LIMIT} />}
      >
        <SignOutButton />
      </MenuPanel>
    </Disclosure>
  );
}
