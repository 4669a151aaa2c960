import type { ReactNode } from 'react';

import { Disclosure, type DisclosureControl } from './Disclosure';
import { MenuPanel } from './MenuPanel';
import type { MenuItem } from './menus';
import * as styles from './PhoneMenu.module.css';

interface PhoneMenuProps extends DisclosureControl {
  icon: ReactNode;
  /** The accessible name of the button. */
  label: string;
  items: readonly MenuItem[];
  /** Shown below the links. */
  children?: ReactNode;
}

/** The menu of the bar on phones, uncontrolled unless `open` is given. */
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
