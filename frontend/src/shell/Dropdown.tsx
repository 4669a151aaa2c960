import { Menu } from 'lucide';
import { type ReactNode, useEffect, useId, useRef } from 'react';

import { useT } from '../i18n/LanguageProvider';
import { useAuth } from '../session/AuthProvider';
import { Icon } from '../ui/Icon';
import * as styles from './Dropdown.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import { DASHBOARD, HOME, JOIN, type MenuItem, MenuLink, SIGN_IN, useMenu } from './menus';

/** Controls a menu from outside (spec section 2). `onOpenChange` is also called when the visitor opens or closes it. */
export interface DropdownControl {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

interface DropdownProps extends DropdownControl {
  /** The menu of the bar on phones, or a member's on wide screens. */
  menu: 'phone' | 'user';
  /** The content of the button. */
  button: ReactNode;
  /** The accessible name of the button, unless its content is one. */
  label?: string;
  items: readonly MenuItem[];
  /** A list item below the links. */
  children?: ReactNode;
}

/**
 * A button that toggles a list of links.
 *
 * The list is a popover: the browser opens it, even before hydration, closes it on Escape and on a press outside,
 * restores the focus, and says whether the button is expanded. It also closes when the focus leaves it.
 */
export function Dropdown({ menu, button, label, items, open, onOpenChange, children }: DropdownProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const close = () => void panel.current?.togglePopover(false);
  const { choose, report } = useMenu(menu, close);

  useEffect(() => {
    if (open !== undefined) panel.current?.togglePopover(open);
  }, [open]);

  return (
    <div
      className={styles[menu]}
      onBlurCapture={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
      }}
    >
      <button type="button" className={styles.button} aria-label={label} popoverTarget={id}>
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={styles.panel}
        onClickCapture={choose}
        onToggle={({ newState }) => {
          report(newState === 'open' ? 'open' : 'close');
          onOpenChange?.(newState === 'open');
        }}
      >
        <ul>
          {items.map((item) => (
            <MenuLink key={item.label} item={item} linkClassName={styles.item} />
          ))}
        </ul>
        <ul className={styles.foot}>
          {children}
          <li>
            <LanguageSwitch />
          </li>
        </ul>
      </div>
    </div>
  );
}

/** The phone menu of a visitor (spec section 6), and of a member whose own is not loaded, on an app page. */
export function VisitorMenu() {
  const t = useT();
  const isSignedOut = useAuth().status === 'signed-out';
  return (
    <Dropdown
      menu="phone"
      button={<Icon icon={Menu} />}
      label={t('appBar.menu')}
      items={isSignedOut ? [HOME, SIGN_IN, JOIN] : [HOME, DASHBOARD]}
    />
  );
}
