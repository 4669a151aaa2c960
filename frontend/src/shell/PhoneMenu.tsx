import type { ReactNode } from 'react';

import { Disclosure, type DisclosureControl } from './Disclosure';
import { MenuPanel } from './MenuPanel';
import type { MenuItem } from './menus';
import * as styles from './PhoneMenu.module.css';

interface PhoneMenuProps extends DisclosureControl {
  /** The button's drawing, and its name. */
  icon: ReactNode;
  label: string;
  items: readonly MenuItem[];
  /** What stands below the links. */
  children?: ReactNode;
}

/** The bar's menu on a phone: a sheet under the bar, as wide as the window. It manages itself unless told `open`. */
export function PhoneMenu({ icon, label, items, children, ...control }: PhoneMenuProps) {
  return (
    <Disclosure
      {...control}
      menu="phone"
      button={icon}
      label={label}
      className={styles.menu}
      buttonClassName={styles.button}
      panelClassName={styles.sheet}
    >
      <MenuPanel items={items}>{children}</MenuPanel>
    </Disclosure>
  );
}
