import { clsx } from 'clsx';
import { ChevronDown, CircleCheck, type IconNode } from 'lucide';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../../i18n/LanguageProvider';
import type { MessageId } from '../../../i18n/catalogues';
import { lazyWithMessages } from '../../../lib/lazy';
import type { Member } from '../../../session/member';
import { useLazyLoad } from '../../../shell/useLazyLoad';
import { Button } from '../../../ui/Button';
import { Icon, IconDisc } from '../../../ui/Icon';
import type { PanelName } from './AccountPanel';
import * as styles from './Setting.module.css';

/** The panels with their forms and messages, loaded with the first interaction or the first press. */
export const LazyAccountPanel = lazyWithMessages(
  () => import(/* webpackChunkName: "profile-account" */ './AccountPanel'),
  ['account'],
);

export interface SettingOptions {
  panel: PanelName;
  icon: IconNode;
  titleId: MessageId;
  textId: MessageId;
  /** The text of the button. */
  actionId: MessageId;
  /** The name of the button in analytics events. */
  button: string;
  /** Whether the button opens a dialog in place of a panel below it. */
  hasDialog?: boolean;
  /** Whether the action cannot be undone. */
  isDangerous?: boolean;
}

interface SettingProps extends SettingOptions {
  user: Member;
  /** Whether the panel opens without a press, because it has something to say. */
  opensByItself?: boolean;
}

/** A row with the button that opens a setting, where it is pressed. */
export function Setting({
  icon,
  titleId,
  textId,
  actionId,
  button,
  hasDialog = false,
  isDangerous = false,
  panel: name,
  opensByItself = false,
  user,
}: SettingProps) {
  const t = useT();
  const panelId = useId();
  const { isLoaded, isPending, load } = useLazyLoad(LazyAccountPanel);
  const [isOpen, setOpen] = useState(false);
  const [isPressed, setPressed] = useState(false);
  const [result, showResult] = useState<string>();
  const opener = useRef<HTMLButtonElement>(null);
  const buttonState = hasDialog
    ? ({ 'aria-haspopup': 'dialog' } as const)
    : { 'aria-expanded': isOpen, 'aria-controls': isOpen ? panelId : undefined };

  function close() {
    setOpen(false);
    opener.current?.focus();
  }

  const preload = useEffectEvent(() => load('optional'));
  useEffect(() => {
    if (opensByItself) void preload().then(setOpen);
  }, [opensByItself]);

  async function open() {
    showResult(undefined);
    setPressed(true);
    setOpen(await load('required'));
  }

  const content = isOpen && isLoaded && (
    <LazyAccountPanel name={name} user={user} isPressed={isPressed} close={close} showResult={showResult} />
  );

  return (
    <SettingRow icon={icon} titleId={titleId} textId={textId} className={isDangerous && styles.dangerous}>
      <Button
        ref={opener}
        id={`setting-${name}`}
        variant="secondary"
        className={styles.button}
        pendingLabel={isPending && t('profile.opening')}
        data-track={isOpen ? undefined : button}
        onClick={() => (isOpen ? close() : void open())}
        {...buttonState}
      >
        <FormattedMessage id={actionId} />
        {!hasDialog && <Icon icon={ChevronDown} size={18} />}
      </Button>
      {/* A live region must exist before its text. */}
      <p role="status" className={styles.result}>
        {result && (
          <>
            <Icon icon={CircleCheck} size={20} />
            <span>{result}</span>
          </>
        )}
      </p>
      {hasDialog
        ? content
        : isOpen && (
            <div id={panelId} className={styles.panel}>
              {content}
            </div>
          )}
    </SettingRow>
  );
}

interface SettingRowProps extends Pick<SettingOptions, 'icon' | 'titleId' | 'textId'> {
  className?: string | false;
  children: ReactNode;
}

/** A row with what it is about, and what the member can do. */
export function SettingRow({ icon, titleId, textId, className, children }: SettingRowProps) {
  const t = useT();
  return (
    <li className={clsx(styles.row, className)}>
      <IconDisc icon={icon} />
      <div>
        <h3 className="label">{t(titleId)}</h3>
        <p className={clsx('muted', styles.text)}>{t(textId)}</p>
      </div>
      {children}
    </li>
  );
}
