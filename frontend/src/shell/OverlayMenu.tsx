import { Menu, X } from 'lucide';
import { useRef } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { Link } from '../ui/Link';

import { Icon } from '../ui/Icon';
import { Logo } from '../ui/Logo';
import { Wave } from '../ui/Wave';
import { LanguageSwitch } from './LanguageSwitch';
import type { MenuItem } from './menus';
import * as styles from './OverlayMenu.module.css';

/**
 * The menu button and the full-screen sheet that it opens.
 *
 * The sheet is a modal `<dialog>`: the browser keeps the focus inside, closes it on Escape and gives the
 * focus back to the button.
 */
export function OverlayMenu({ items }: { items: readonly MenuItem[] }) {
  const { formatMessage } = useIntl();
  const sheet = useRef<HTMLDialogElement>(null);
  const open = () => sheet.current?.showModal();
  const close = () => sheet.current?.close();

  return (
    <>
      <button type="button" className={styles.button} aria-haspopup="dialog" onClick={open}>
        <FormattedMessage id="appBar.menu" />
        <Icon of={Menu} />
      </button>
      <dialog
        ref={sheet}
        className={styles.sheet}
        data-surface="dark"
        aria-label={formatMessage({ id: 'appBar.menu' })}
      >
        <div className={styles.bar}>
          <Logo />
          <button type="button" className={styles.button} onClick={close}>
            <FormattedMessage id="appBar.close" />
            <Icon of={X} />
          </button>
        </div>
        <nav aria-label={formatMessage({ id: 'appBar.menu' })}>
          <ol className={styles.items}>
            {items.map(({ label, to }) => (
              <li key={label}>
                <Link to={to} className={styles.item} onClick={close}>
                  <FormattedMessage id={label} />
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <div className={styles.foot}>
          <FormattedMessage id="footer.tagline" />
          <LanguageSwitch />
        </div>
        <Wave className={styles.wave} />
      </dialog>
    </>
  );
}
