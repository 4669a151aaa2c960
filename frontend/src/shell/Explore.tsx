import { FormattedMessage, useIntl } from 'react-intl';

import { Link } from '../ui/Link';
import * as styles from './Explore.module.css';
import type { MenuItem } from './menus';

/** The app pages that need no sign-in. */
const PAGES: readonly MenuItem[] = [
  { label: 'explore.marketplace', to: '/marketplace' },
  { label: 'explore.academy', to: '/academy' },
  { label: 'explore.events', to: '/events' },
];

/** Links to the app pages that are open to everyone, so that visitors can go from one to another. */
export function Explore() {
  const { formatMessage } = useIntl();
  return (
    <nav className={styles.explore} aria-label={formatMessage({ id: 'explore.title' })}>
      <p aria-hidden="true">
        <FormattedMessage id="explore.title" />
      </p>
      <ul className={styles.links}>
        {PAGES.map(({ label, to }) => (
          <li key={to}>
            <Link to={to} className={styles.link}>
              <FormattedMessage id={label} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
