import { FormattedMessage, useIntl } from 'react-intl';

import { useNotificationsQuery } from '../features/notifications/data/useNotificationsQuery';
import { useNotificationSet } from '../features/notifications/useNotificationSet';
import { getFirstName, getFullName } from '../session/member';
import { useFreshUser } from '../session/useFreshUser';
import { Avatar } from '../ui/Avatar';
import { Link } from '../ui/Link';
import { Bell } from './Bell';
import type { DisclosureControl } from './Disclosure';
import { MemberItem } from './MemberItem';
import { BAR, OVERLAY_FOOT, PHONE_MENU } from './memberMenus';
import * as menuStyles from './MenuPanel.module.css';
import * as styles from './NavBar.module.css';
import { PhoneMenu } from './PhoneMenu';
import { SignOutButton } from './SignOutButton';
import { UserMenu } from './UserMenu';

export interface MemberControlsProps {
  /** The navigation bar, the header of a page without one, or the full-screen menu. */
  place: 'bar' | 'header' | 'overlay';
  /** Controls the phone menu; uncontrolled when left out. */
  phoneMenu?: DisclosureControl | undefined;
}

/** The controls of a signed-in member (spec section 2, Navigation bar). */
export default function MemberControls({ place, phoneMenu }: MemberControlsProps) {
  const { unread } = useNotificationSet(useNotificationsQuery().data ?? []);
  if (place === 'overlay') return <OverlayFoot unread={unread} />;
  return (
    <>
      {place === 'bar' && <Screens />}
      <Bell unread={unread} />
      <Menus unread={unread} phoneMenu={phoneMenu} />
    </>
  );
}

function OverlayFoot({ unread }: { unread: number }) {
  return (
    <ul>
      {OVERLAY_FOOT.map((item) => (
        <li key={item.to}>
          <Link to={item.to}>
            <MemberItem item={item} unread={unread} />
          </Link>
        </li>
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
    <nav className={styles.screens} aria-label={formatMessage({ id: 'appBar.main' })}>
      <ul className={styles.links}>
        {BAR.map(({ label, to }) => (
          <li key={label}>
            <Link to={to} className={styles.link}>
              <FormattedMessage id={label} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The menu for wide screens and the one for phones, each labelled with the member. */
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
        <SignOutButton className={menuStyles.line} />
      </PhoneMenu>
    </>
  );
}
