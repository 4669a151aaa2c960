import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

import { Link } from '../ui/Link';
import { LanguageSwitch } from './LanguageSwitch';
import * as styles from './MenuPanel.module.css';
import type { MenuItem } from './menus';

interface MenuPanelProps {
  items: readonly MenuItem[];
  /** Render an item in place of its label. */
  renderItem?: (item: MenuItem) => ReactNode;
  /** Shown below the links. */
  children?: ReactNode;
}

/** The content of an open menu: links, further actions, the language switch. */
export function MenuPanel({ items, renderItem, children }: MenuPanelProps) {
  return (
    <>
      <ul>
        {items.map((item) => (
          <li key={item.label}>
            <Link to={item.to} className={styles.line}>
              {renderItem?.(item) ?? <FormattedMessage id={item.label} />}
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
