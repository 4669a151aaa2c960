import type { ReactNode } from 'react';

import { LanguageSwitch } from './LanguageSwitch';
import * as styles from './MenuPanel.module.css';
import { type MenuItem, MenuLink } from './menus';

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
          <MenuLink key={item.label} item={item} linkClassName={styles.item}>
            {renderItem?.(item)}
          </MenuLink>
        ))}
      </ul>
      <div className={styles.footer}>
        {children}
        <LanguageSwitch />
      </div>
    </>
  );
}
