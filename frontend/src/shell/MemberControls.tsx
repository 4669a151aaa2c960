import { ChevronDown } from 'lucide';
import type { ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { useNotificationsQuery } from '../features/notifications/data/useNotificationsQuery';
import { useNotificationSet } from '../features/notifications/notification';
import { getFirstName, getFullName } from '../session/member';
import { useFreshUser } from '../session/useFreshUser';
import { Avatar } from '../ui/Avatar';
import { Icon } from '../ui/Icon';
import { Bell, DESKTOP_LIMIT, NOTIFICATIONS, UnreadBadge } from './Bell';
import { Disclosure, type DisclosureControl } from './Disclosure';
import * as styles from './MemberControls.module.css';
import { MenuPanel } from './MenuPanel';
import * as panelStyles from './MenuPanel.module.css';
import { DASHBOARD, HOME, type MenuItem, MenuLink, OPEN_SCREENS } from './menus';
import * as barStyles from './NavBar.module.css';
import { PhoneMenu } from './PhoneMenu';
import { SignOutButton } from './SignOutButton';

const PROFILE: MenuItem = { label: 'memberBar.profile', to: '/profile' };

const SCREENS: readonly MenuItem[] = [DASHBOARD, ...OPEN_SCREENS];

/** The menus of a signed-in member without Sign Out (spec section 2, Navigation bar). */
const BAR: readonly MenuItem[] = [HOME, ...SCREENS];
const USER_MENU: readonly MenuItem[] = [...SCREENS, PROFILE, NOTIFICATIONS];
const PHONE_MENU: readonly MenuItem[] = [HOME, ...SCREENS, PROFILE];

/** The account links of the full-screen menu, without Sign Out. */
const OVERLAY_MENU: readonly MenuItem[] = [DASHBOARD, NOTIFICATIONS, PROFILE];

export interface MemberControlsProps {
  /** The navigation bar, the header of a page without one, or the full-screen menu. */
  place: 'bar' | 'header' | 'overlay';
  /** Controls the phone menu; uncontrolled when left out. */
  phoneMenu?: DisclosureControl | undefined;
}

/** The controls of a signed-in member (spec section 2, Navigation bar). */
export default function MemberControls({ place, phoneMenu }: MemberControlsProps) {
  const { unread } = useNotificationSet(useNotificationsQuery().data ?? []);
  if (place === 'overlay') return <OverlayLinks unread={unread} />;
  return (
    <>
      {place === 'bar' && <Screens />}
      <Bell unread={unread} />
      <Menus unread={unread} phoneMenu={phoneMenu} />
    </>
  );
}

function OverlayLinks({ unread }: { unread: number }) {
  return (
    <ul>
      {OVERLAY_MENU.map((item) => (
        <MenuLink key={item.to} item={item}>
          <MemberItem item={item} unread={unread} />
        </MenuLink>
      ))}
      <li>
        <SignOutButton />
      </li>
    </ul>
  );
}

function Screens() {
  const { formatMessage } = useIntl();
  return (
    <nav className={barStyles.screens} aria-label={formatMessage({ id: 'appBar.main' })}>
      <ul className={barStyles.links}>
        {BAR.map((item) => (
          <MenuLink key={item.label} item={item} linkClassName={barStyles.link} />
        ))}
      </ul>
    </nav>
  );
}

/** The menu for wide screens and the one for phones, each labeled with the member. */
function Menus({ unread, phoneMenu }: { unread: number; phoneMenu: DisclosureControl | undefined }) {
  const { formatMessage } = useIntl();
  const user = useFreshUser();
  const name = user ? getFirstName(user) : '';
  const avatar = <Avatar name={user ? getFullName(user) : ''} size="tiny" />;
  return (
    <>
      <UserMenu name={name} avatar={avatar} unread={unread} />
      <PhoneMenu
        {...phoneMenu}
        icon={avatar}
        label={formatMessage({ id: 'memberBar.menu' }, { name })}
        items={PHONE_MENU}
      >
        <SignOutButton className={panelStyles.item} />
      </PhoneMenu>
    </>
  );
}

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
        <SignOutButton className={panelStyles.item} />
      </MenuPanel>
    </Disclosure>
  );
}

/** The label of a menu item; that of the notifications has a visible badge, and the count as text for screen readers. */
function MemberItem({ item, unread }: { item: MenuItem; unread: number }) {
  const label = <FormattedMessage id={item.label} />;
  if (item !== NOTIFICATIONS || unread <= 0) return label;
  return (
    <>
      <span className="visually-hidden">
        <FormattedMessage id="memberBar.unread" values={{ count: unread }} />
      </span>
      <span aria-hidden="true">{label}</span>
      <UnreadBadge count={unread} limit={DESKTOP_LIMIT} />
    </>
  );
}
