import { clsx } from 'clsx';
import { CircleUserRound } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import { Icon } from '../ui/Icon';
import { Link } from '../ui/Link';
import { LanguageSwitch } from './LanguageSwitch';
import { DASHBOARD, HOME, JOIN, type MenuItem, SIGN_IN } from './menus';
import * as styles from './NavBar.module.css';

/**
 * The controls of a visitor (spec sections 2 and 6).
 *
 * Until their own controls are loaded, members see a plain avatar in place of Sign In and Join.
 */
export function VisitorControls({ home = false }: { home?: boolean }) {
  const { formatMessage } = useIntl();
  return (
    <>
      <nav className={styles.visitor} aria-label={formatMessage({ id: 'appBar.main' })}>
        <ul className={styles.links}>
          {home && <Item item={HOME} className={styles.onDesktop} />}
          <Item item={SIGN_IN} className="for-visitors" />
          <Item item={JOIN} className={clsx(styles.join, 'for-visitors')} />
          <li className="for-members">
            <Link
              to={DASHBOARD.to}
              className={styles.avatar}
              aria-label={formatMessage({ id: DASHBOARD.label })}
            >
              <Icon icon={CircleUserRound} size={32} />
            </Link>
          </li>
        </ul>
      </nav>
      <div className={clsx(styles.onDesktop, 'for-visitors')}>
        <LanguageSwitch />
      </div>
    </>
  );
}

function Item({ item: { label, to }, className }: { item: MenuItem; className?: string | undefined }) {
  return (
    <li className={className}>
      <Link to={to} className={styles.link}>
        <FormattedMessage id={label} />
      </Link>
    </li>
  );
}
