import { clsx } from 'clsx';
import { Menu, X } from 'lucide';
import { useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../i18n/LanguageProvider';
import { Icon } from '../ui/Icon';
import { Logo } from '../ui/Logo';
import { Wave } from '../ui/Wave';
import { Account } from './Account';
import { LanguageSwitch } from './LanguageSwitch';
import { AUDIENCE_MENU, DASHBOARD, JOIN, type MenuItem, MenuLink, SIGN_IN, useMenu } from './menus';
import * as styles from './OverlayMenu.module.css';

/**
 * The menu button and its full-screen sheet.
 *
 * A modal `<dialog>`: the browser traps the focus, closes the sheet on Escape and restores the focus.
 */
export function OverlayMenu({ items = AUDIENCE_MENU }: { items?: readonly MenuItem[] | undefined }) {
  const t = useT();
  const sheet = useRef<HTMLDialogElement>(null);
  const close = () => sheet.current?.close();
  const { choose, report } = useMenu('overlay', close);

  return (
    <>
      <button
        type="button"
        className={clsx('target', styles.button, 'needs-script')}
        aria-haspopup="dialog"
        onClick={() => {
          sheet.current?.showModal();
          report('open');
        }}
      >
        <span className={styles.label}>{t('appBar.menu')}</span>
        <Icon icon={Menu} />
      </button>
      <dialog
        ref={sheet}
        className={styles.sheet}
        data-surface="dark"
        aria-label={t('appBar.menu')}
        onClickCapture={choose}
        onClose={() => report('close')}
      >
        <div className={styles.bar}>
          <Logo />
          <button type="button" className={clsx('target', styles.button)} onClick={close}>
            <FormattedMessage id="appBar.close" />
            <Icon icon={X} />
          </button>
        </div>
        <nav aria-label={t('appBar.menu')}>
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
