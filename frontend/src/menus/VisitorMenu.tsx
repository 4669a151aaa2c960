import { Menu } from 'lucide';
import { useIntl } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { Icon } from '../ui/Icon';
import { DASHBOARD, HOME, JOIN, SIGN_IN } from './menus';
import { PhoneMenu } from './PhoneMenu';

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
