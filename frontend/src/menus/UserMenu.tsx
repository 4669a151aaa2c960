import { ChevronDown } from 'lucide';
import type { ReactNode } from 'react';

import { Icon } from '../ui/Icon';
import { Disclosure } from './Disclosure';
import { MemberItem } from './MemberItem';
import { USER_MENU } from './memberMenus';
import { MenuPanel } from './MenuPanel';
import * as menuStyles from './MenuPanel.module.css';
import { SignOutButton } from './SignOutButton';
import * as styles from './UserMenu.module.css';

interface UserMenuProps {
  name: string;
  avatar: ReactNode;
  unread: number;
}

/** The member's menu on wide screens (spec section 2, Navigation bar). */
export function UserMenu({ name, avatar, unread }: UserMenuProps) {
  return (
    <Disclosure
      menu="user"
      button={
        <>
          {avatar}
          <span className={styles.name}>{name}</span>
          <Icon icon={ChevronDown} size={18} />
        </>
      }
      className={styles.menu}
      buttonClassName={styles.button}
      panelClassName={styles.panel}
    >
      <MenuPanel items={USER_MENU} renderItem={(item) => <MemberItem item={item} unread={unread} />}>
        <SignOutButton className={menuStyles.line} />
      </MenuPanel>
    </Disclosure>
  );
}
