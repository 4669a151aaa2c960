import { Menu } from 'lucide';
import { useIntl } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { Icon } from '../ui/Icon';
import { HOME, JOIN, SIGN_IN } from './destinations';
import type { DisclosureControl } from './Disclosure';
import { PhoneMenu } from './PhoneMenu';

interface VisitorMenuProps extends DisclosureControl {
  /** Whether it shows the ways to become or be a member, as the bar with its logo does. */
  invite?: boolean;
}

/** The phone menu of a signed-out visitor (spec section 6), for a page without a menu of its own. */
export function VisitorMenu({ invite = true, ...control }: VisitorMenuProps) {
  const { formatMessage } = useIntl();
  const isOut = useAuth().status === 'signed-out';
  return (
    <PhoneMenu
      {...control}
      icon={<Icon of={Menu} />}
      label={formatMessage({ id: 'appBar.menu' })}
      items={invite && isOut ? [HOME, SIGN_IN, JOIN] : [HOME]}
    />
  );
}
