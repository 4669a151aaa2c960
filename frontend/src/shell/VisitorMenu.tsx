import { Menu } from 'lucide';
import { useIntl } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { Icon } from '../ui/Icon';
import type { DisclosureControl } from './Disclosure';
import { HOME, JOIN, SIGN_IN } from './menus';
import { PhoneMenu } from './PhoneMenu';

interface VisitorMenuProps extends DisclosureControl {
  /** Whether it offers Sign In and Join. */
  invite?: boolean;
}

/** The phone menu of a visitor (spec section 6), for a page without its own menu. */
export function VisitorMenu({ invite = true, ...control }: VisitorMenuProps) {
  const { formatMessage } = useIntl();
  const isSignedOut = useAuth().status === 'signed-out';
  return (
    <PhoneMenu
      {...control}
      icon={<Icon of={Menu} />}
      label={formatMessage({ id: 'appBar.menu' })}
      items={invite && isSignedOut ? [HOME, SIGN_IN, JOIN] : [HOME]}
    />
  );
}
