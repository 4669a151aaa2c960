import { FormattedMessage, useIntl } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { Link } from '../ui/Link';
import { HOME, JOIN, SIGN_IN } from './destinations';
import { LanguageSwitch } from './LanguageSwitch';
import type { MenuItem } from './menus';
import * as styles from './NavBar.module.css';

/**
 * What the bar shows to a signed-out visitor, with or without Home (spec sections 2 and 6). Whose session is not known
 * yet may be a member: nothing asks them to become one.
 */
export function VisitorControls({ home }: { home: boolean }) {
  const { formatMessage } = useIntl();
  const isOut = useAuth().status === 'signed-out';
  return (
    <>
      {(home || isOut) && (
        <nav className={styles.visitor} aria-label={formatMessage({ id: 'appBar.main' })}>
          <ul className={styles.links}>
            {home && <Line item={HOME} className={styles.onDesktop} />}
            {isOut && (
              <>
                <Line item={SIGN_IN} />
                <Line item={JOIN} className={styles.join} />
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

function Line({ item: { label, to }, className }: { item: MenuItem; className?: string | undefined }) {
  return (
    <li className={className}>
      <Link to={to} className={styles.link}>
        <FormattedMessage id={label} />
      </Link>
    </li>
  );
}
