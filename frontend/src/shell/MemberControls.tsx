import { CircleUserRound } from 'lucide';
import { use } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { firstNameOf } from '../session/memberName';
import { useFreshUser } from '../session/AuthProvider';
import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import { Bell } from './Bell';
import { PhoneMenuControl } from './memberBar';
import { BAR, PHONE_MENU } from './memberMenus';
import * as styles from './NavBar.module.css';
import { useNotificationsQuery } from '../notifications/data/useNotificationsQuery';
import { PhoneMenu } from './PhoneMenu';
import { SignOutButton } from './SignOutButton';
import { useNotificationSet } from '../notifications/useNotificationSet';
import { UserMenu } from './UserMenu';

/** The navigation bar of a signed-in member (spec section 2, Navigation bar). */
export function MemberControls() {
  const { formatMessage } = useIntl();
  const { unread } = useNotificationSet(useNotificationsQuery().data ?? []);
  const phoneMenu = use(PhoneMenuControl);
  const user = useFreshUser();
  const name = user ? firstNameOf(user) : '';
  return (
    <>
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
      <Bell unread={unread} />
      <UserMenu name={name} unread={unread} />
      <PhoneMenu
        {...phoneMenu}
        icon={<Icon of={CircleUserRound} />}
        label={formatMessage({ id: 'memberBar.menu' }, { name })}
        items={PHONE_MENU}
      >
        <SignOutButton />
      </PhoneMenu>
    </>
  );
}
