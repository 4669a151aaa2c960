import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

import { Link } from '../ui/Link';
import { LanguageSwitch } from './LanguageSwitch';
import * as styles from './MenuPanel.module.css';
import type { MenuItem } from './menus';

interface MenuPanelProps {
  items: readonly MenuItem[];
  /** What a line shows in place of its label. */
  lineOf?: (item: MenuItem) => ReactNode;
  /** What stands below the links. */
  children?: ReactNode;
}

/** What a menu of the bar shows when it is open: its links, what else can be done, the other language. */
export function MenuPanel({ items, lineOf, children }: MenuPanelProps) {
  return (
    <>
      <ul>
        {items.map((item) => (
          <li key={item.label}>
            <Link to={item.to} className={styles.line}>
              {lineOf?.(item) ?? <FormattedMessage id={item.label} />}
            </Link>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        {children}
        <LanguageSwitch />
      </div>
    </>
  );
}
