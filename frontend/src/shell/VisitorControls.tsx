import { FormattedMessage, useIntl } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { Link } from '../ui/Link';
import { LanguageSwitch } from './LanguageSwitch';
import { HOME, JOIN, type MenuItem, SIGN_IN } from './menus';
import * as styles from './NavBar.module.css';

/**
 * The navigation bar of a visitor (spec sections 2 and 6).
 *
 * Sign In and Join show only once the visitor is known to be signed out.
 */
export function VisitorControls({ home }: { home: boolean }) {
  const { formatMessage } = useIntl();
  const isSignedOut = useAuth().status === 'signed-out';
  return (
    <>
      {(home || isSignedOut) && (
        <nav className={styles.visitor} aria-label={formatMessage({ id: 'appBar.main' })}>
          <ul className={styles.links}>
            {home && <Item item={HOME} className={styles.onDesktop} />}
            {isSignedOut && (
              <>
                <Item item={SIGN_IN} />
                <Item item={JOIN} className={styles.join} />
              </>
            )}
          </ul>
        </nav>
      )}
      <div className={styles.onDesktop}>
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
