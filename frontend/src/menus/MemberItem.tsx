import { FormattedMessage } from 'react-intl';

import { NOTIFICATIONS } from './memberMenus';
import type { MenuItem } from './menus';
import { DESKTOP_LIMIT, UnreadBadge } from './UnreadBadge';

/** The label of a menu item; that of the notifications has a visible badge, and the count as text for screen readers. */
export function MemberItem({ item, unread }: { item: MenuItem; unread: number }) {
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
