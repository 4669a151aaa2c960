import { ChevronDown } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { Icon } from '../ui/Icon';
import { Disclosure } from './Disclosure';
import { NOTIFICATIONS, USER_MENU } from './memberMenus';
import { MenuPanel } from './MenuPanel';
import { SignOutButton } from './SignOutButton';
import { DESKTOP_LIMIT, UnreadBadge } from './UnreadBadge';
import * as styles from './UserMenu.module.css';

interface UserMenuProps {
  name: string;
  unread: number;
}

/** The member's menu on wide screens (spec section 2, Navigation bar). */
export function UserMenu({ name, unread }: UserMenuProps) {
  return (
    <Disclosure
      menu="user"
      button={
        <>
          <span className={styles.name}>{name}</span>
          <Icon of={ChevronDown} size={18} />
        </>
      }
      className={styles.menu}
      buttonClassName={styles.button}
      panelClassName={styles.panel}
    >
      <MenuPanel
        items={USER_MENU}
        renderItem={(item) =>
          item === NOTIFICATIONS && unread > 0 ? <NotificationsItem unread={unread} /> : undefined
        }
      >
        <SignOutButton />
      </MenuPanel>
    </Disclosure>
  );
}

/** The label with a visible badge, and the count as text for screen readers. */
function NotificationsItem({ unread }: { unread: number }) {
  return (
    <>
      <span className="visually-hidden">
        <FormattedMessage id="memberBar.unread" values={{ count: unread }} />
      </span>
      <span aria-hidden="true">
        <FormattedMessage id={NOTIFICATIONS.label} />
      </span>
      <UnreadBadge count={unread} limit={DESKTOP_LIMIT} />
    </>
  );
}
