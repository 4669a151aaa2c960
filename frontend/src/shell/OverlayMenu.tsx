import { clsx } from 'clsx';
import { Menu, X } from 'lucide';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { track } from '../consent/track';
import { useShownLocation } from '../lib/router/shownLocation';
import { Icon } from '../ui/Icon';
import { Logo } from '../ui/Logo';
import { Wave } from '../ui/Wave';
import { Account } from './Account';
import { LanguageSwitch } from './LanguageSwitch';
import { AUDIENCE_MENU, DASHBOARD, JOIN, type MenuItem, MenuLink, SIGN_IN } from './menus';
import * as styles from './OverlayMenu.module.css';

interface OverlayMenuProps {
  items?: readonly MenuItem[] | undefined;
  /** Whether the label of the button is hidden visually on narrow screens. */
  isCompact?: boolean;
}

/**
 * The menu button and its full-screen sheet.
 *
 * A modal `<dialog>`: the browser traps the focus, closes the sheet on Escape and restores the focus.
 */
export function OverlayMenu({ items = AUDIENCE_MENU, isCompact }: OverlayMenuProps) {
  const { formatMessage } = useIntl();
  const { key } = useShownLocation();
  const sheet = useRef<HTMLDialogElement>(null);

  // In a layout effect: the dialog returns the focus to the button before the new page takes it.
  useLayoutEffect(() => {
    const dialog = sheet.current;
    return () => dialog?.close();
  }, [key]);

  // Every link and button of a list is an item of the menu.
  useEffect(() => {
    const controller = new AbortController();
    sheet.current?.addEventListener(
      'click',
      ({ target }) => {
        const chosen = target instanceof Element && target.closest('li :is(a, button)');
        if (!chosen) return;
        sheet.current?.close();
        const item = chosen.getAttribute('href');
        track('menu_interaction', { menu: 'overlay', action: 'choose', ...(item && { item }) });
      },
      controller,
    );
    return () => controller.abort();
  }, []);

  function open() {
    sheet.current?.showModal();
    track('menu_interaction', { menu: 'overlay', action: 'open' });
  }

  function close() {
    sheet.current?.close();
    trackClose();
  }

  return (
    <>
      <button
        type="button"
        className={clsx('target', styles.button, 'needs-script')}
        aria-haspopup="dialog"
        onClick={open}
      >
        <span className={isCompact ? styles.label : undefined}>
          <FormattedMessage id="appBar.menu" />
        </span>
        <Icon icon={Menu} />
      </button>
      <dialog
        ref={sheet}
        className={styles.sheet}
        data-surface="dark"
        onCancel={trackClose}
        aria-label={formatMessage({ id: 'appBar.menu' })}
      >
        <div className={styles.bar}>
          <Logo />
          <button type="button" className={clsx('target', styles.button)} onClick={close}>
            <FormattedMessage id="appBar.close" />
            <Icon icon={X} />
          </button>
        </div>
        <nav aria-label={formatMessage({ id: 'appBar.menu' })}>
          <ol className={styles.items}>
            {items.map((item) => (
              <MenuLink key={item.label} item={item} linkClassName={styles.item} />
            ))}
          </ol>
        </nav>
        <div className={clsx('muted', styles.footer)}>
          <div className={styles.account}>
            <Account place="overlay">
              <ul>
                <MenuLink item={SIGN_IN} className="for-visitors" />
                <MenuLink item={JOIN} className="for-visitors" />
                <MenuLink item={DASHBOARD} className="for-members" />
              </ul>
            </Account>
          </div>
          <LanguageSwitch />
        </div>
        <Wave className={styles.wave} />
      </dialog>
    </>
  );
}

function trackClose() {
  track('menu_interaction', { menu: 'overlay', action: 'close' });
}
