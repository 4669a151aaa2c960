import { Bookmark, Flag, GraduationCap, type IconNode, Network, Sailboat, Settings } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import type { MessageId } from '../../i18n/catalogues';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import * as styles from './SideMenu.module.css';

/** Links of the spec, section 2; four of the pages do not exist yet. */
const ITEMS: readonly { label: MessageId; to: string; icon: IconNode }[] = [
  { label: 'dashboard.academy', to: '/academy', icon: GraduationCap },
  { label: 'dashboard.racing', to: '/races', icon: Flag },
  { label: 'dashboard.network', to: '/network', icon: Network },
  { label: 'dashboard.marketplace', to: '/marketplace', icon: Sailboat },
  { label: 'dashboard.saved', to: '/saved', icon: Bookmark },
  { label: 'dashboard.settings', to: '/settings', icon: Settings },
];

export function SideMenu() {
  const { formatMessage } = useIntl();
  return (
    <Card>
      <nav aria-label={formatMessage({ id: 'dashboard.menu' })}>
        <ul className={styles.menu}>
          {ITEMS.map(({ label, to, icon }) => (
            <li key={to}>
              <Link to={to} className={styles.item}>
                <Icon icon={icon} size={20} />
                <FormattedMessage id={label} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  );
}
