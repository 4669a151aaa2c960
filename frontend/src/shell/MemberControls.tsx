import { ChevronDown, Menu } from 'lucide';

import { useNotificationsQuery } from '../features/notifications/data/useNotificationsQuery';
import { useNotificationSet } from '../features/notifications/notification';
import { useT } from '../i18n/LanguageProvider';
import { getFirstName, getFullName } from '../session/member';
import { useFreshUser } from '../session/useFreshUser';
import { Avatar } from '../ui/Avatar';
import { Icon } from '../ui/Icon';
import { Bell, DESKTOP_LIMIT, NOTIFICATIONS, UnreadBadge } from './Bell';
import { Dropdown, type DropdownControl } from './Dropdown';
import * as menuStyles from './Dropdown.module.css';
import { DASHBOARD, HOME, type MenuItem, MenuLink, OPEN_SCREENS } from './menus';
import { SignOutButton } from './SignOutButton';
import * as styles from './SiteHeader.module.css';

const PROFILE: MenuItem = { label: 'memberBar.profile', to: '/profile' };
const SCREENS: readonly MenuItem[] = [DASHBOARD, ...OPEN_SCREENS];

export interface MemberControlsProps {
  /** The navigation bar, the header of a page without one, or the full-screen menu. */
  place: 'bar' | 'header' | 'overlay';
  /** Controls the phone menu. */
  phoneMenu?: DropdownControl | undefined;
}

/** The controls of a signed-in member (spec section 2, Navigation bar). */
export default function MemberControls({ place, phoneMenu }: MemberControlsProps) {
  const t = useT();
  const user = useFreshUser();
  const { unread } = useNotificationSet(useNotificationsQuery().data ?? []);
  const notifications =
    unread > 0 ? { ...NOTIFICATIONS, content: <UnreadLabel unread={unread} /> } : NOTIFICATIONS;

  if (place === 'overlay') {
    return (
      <ul>
        {[DASHBOARD, notifications, PROFILE].map((item) => (
          <MenuLink key={item.to} item={item} />
        ))}
        <li>
          <SignOutButton />
        </li>
      </ul>
    );
  }

  const name = user ? getFirstName(user) : '';
  const avatar = <Avatar name={user ? getFullName(user) : ''} size="tiny" />;
  const signOut = (
    <li>
      <SignOutButton className={menuStyles.item} />
    </li>
  );
  return (
    <>
      {place === 'bar' && (
        <nav className={styles.screens} aria-label={t('appBar.main')}>
          <ul className={styles.links}>
            {[HOME, ...SCREENS].map((item) => (
              <MenuLink key={item.label} item={item} linkClassName={styles.link} />
            ))}
          </ul>
        </nav>
      )}
      <Bell unread={unread} />
      <Dropdown
        menu="user"
        button={
          <>
            {avatar}
            <span className={menuStyles.name}>{name}</span>
            <Icon icon={ChevronDown} size={18} />
          </>
        }
        items={[...SCREENS, PROFILE, notifications]}
      >
        {signOut}
      </Dropdown>
      <Dropdown
        {...phoneMenu}
        menu="phone"
        button={
          <>
            {avatar}
            <Icon icon={Menu} />
          </>
        }
        label={t('memberBar.menu', { name })}
        items={[HOME, ...SCREENS, PROFILE]}
      >
        {signOut}
      </Dropdown>
    </>
  );
}

/** The label of the notifications with a visible badge, and the count as text for screen readers. */
function UnreadLabel({ unread }: { unread: number }) {
  const t = useT();
  return (
    <>
      <span className="visually-hidden">{t('memberBar.unread', { count: unread })}</span>
      <span aria-hidden="true">{t(NOTIFICATIONS.label)}</span>
      <UnreadBadge count={unread} limit={DESKTOP_LIMIT} />
    </>
  );
}
