import { clsx } from 'clsx';
import { CircleCheck, type IconNode } from 'lucide';
import { type ReactNode, useState } from 'react';

import type { MessageId } from '../../i18n/catalogues';
import { useT } from '../../i18n/LanguageProvider';
import { lazyWithMessages } from '../../lib/lazy';
import { useLazyLoad } from '../../ui/useLazyLoad';
import { Button } from '../../ui/Button';
import { IconDisc } from '../../ui/Icon';
import { IconText } from '../../ui/IconText';
import type { SettingName } from './account/AccountDialogs';
import type { SettingDialogProps } from './account/FormDialog';
import * as styles from './Setting.module.css';

/** The dialogs with their forms and messages, loaded with the first interaction or the first press. */
export const LazyAccountDialog = lazyWithMessages(
  () => import(/* webpackChunkName: "profile-account" */ './account/AccountDialogs'),
  ['account'],
);

interface RowOptions {
  icon: IconNode;
  titleId: MessageId;
  textId: MessageId;
  /** Whether the action cannot be undone. */
  isDangerous?: boolean;
}

export interface SettingOptions extends RowOptions {
  dialog: SettingName;
  /** The text of the button. */
  actionId: MessageId;
  /** The name of the button in analytics events. */
  button: string;
}

type SettingProps = SettingOptions & { status?: string | undefined } & Pick<
    SettingDialogProps,
    'user' | 'account'
  >;

/** A row with the button that opens the dialog of a setting, and its result. */
export function Setting({ dialog, actionId, button, status, user, account, ...row }: SettingProps) {
  const t = useT();
  const { isPending, load } = useLazyLoad(LazyAccountDialog);
  const [isOpen, setOpen] = useState(false);
  const [result, setResult] = useState<string>();

  async function open() {
    setResult(undefined);
    setOpen(await load('required'));
  }

  function close(result?: string) {
    setOpen(false);
    setResult(result);
  }

  return (
    <SettingRow {...row}>
      <Button
        id={`setting-${dialog}`}
        variant="secondary"
        className={styles.button}
        pendingLabel={isPending && t('profile.opening')}
        data-track={button}
        aria-haspopup="dialog"
        onClick={() => void open()}
      >
        {t(actionId)}
      </Button>
      {status && <p className={styles.status}>{status}</p>}
      {/* A live region must exist before its text. */}
      <div role="status" className={styles.result}>
        {result && (
          <IconText element="p" icon={CircleCheck} size={20}>
            {result}
          </IconText>
        )}
      </div>
      {isOpen && <LazyAccountDialog name={dialog} user={user} account={account} close={close} />}
    </SettingRow>
  );
}

/** A row with what it is about, and what the member can do. */
export function SettingRow({
  icon,
  titleId,
  textId,
  isDangerous,
  children,
}: RowOptions & { children: ReactNode }) {
  const t = useT();
  return (
    <li className={clsx(styles.row, isDangerous && styles.dangerous)}>
      <IconDisc icon={icon} />
      <div>
        <h3 className="label">{t(titleId)}</h3>
        <p className={clsx('muted', styles.text)}>{t(textId)}</p>
      </div>
      {children}
    </li>
  );
}
