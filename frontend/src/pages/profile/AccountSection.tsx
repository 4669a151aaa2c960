import { useQuery } from '@apollo/client/react';
import { clsx } from 'clsx';
import { AtSign, Download, KeyRound, MonitorSmartphone, Newspaper, Trash2 } from 'lucide';
import { useEffect, useEffectEvent, useId } from 'react';

import { useT } from '../../i18n/LanguageProvider';
import { client } from '../../lib/api/client';
import { AccountDocument } from '../../lib/api/generated';
import { onUserInteraction } from '../../lib/userInteraction';
import type { Member } from '../../session/member';
import { useLazyLoad } from '../../ui/useLazyLoad';
import { getButtonClass } from '../../ui/Button';
import { Card } from '../../ui/Card';
import * as styles from './AccountSection.module.css';
import { LazyAccountDialog, Setting, type SettingOptions, SettingRow } from './Setting';
import * as settingStyles from './Setting.module.css';

/** What a member can do with the account, each in a dialog. */
const SETTINGS: readonly SettingOptions[] = [
  {
    dialog: 'password',
    icon: KeyRound,
    titleId: 'auth.password',
    textId: 'profile.passwordText',
    actionId: 'profile.changePassword',
    button: 'change_password',
  },
  {
    dialog: 'email',
    icon: AtSign,
    titleId: 'auth.email',
    textId: 'profile.signInEmailText',
    actionId: 'profile.changeEmail',
    button: 'change_email',
  },
  {
    dialog: 'data',
    icon: Download,
    titleId: 'profile.data',
    textId: 'profile.dataText',
    actionId: 'profile.download',
    button: 'download_data',
  },
  {
    dialog: 'sessions',
    icon: MonitorSmartphone,
    titleId: 'profile.sessions',
    textId: 'profile.sessionsText',
    actionId: 'profile.signOutEverywhere',
    button: 'sign_out_everywhere',
  },
];

/** It cannot be undone, so it comes last, in a card of its own. */
const DELETION: SettingOptions = {
  dialog: 'deletion',
  icon: Trash2,
  titleId: 'profile.delete',
  textId: 'profile.deleteText',
  actionId: 'profile.deleteOpen',
  button: 'delete_account',
  isDangerous: true,
};

export function AccountSection({ user }: { user: Member }) {
  const t = useT();
  const headingId = useId();
  // Without an answer, the newsletter has no link, and a pending change of the email does not show.
  const { data, refetch } = useQuery(AccountDocument, { client });
  const account = { data, refetch: () => refetch().catch(() => undefined) };
  const pendingEmail = data?.account.pendingEmail;
  const { load } = useLazyLoad(LazyAccountDialog);
  const preload = useEffectEvent(() => void load('optional'));
  useEffect(() => onUserInteraction(() => preload()), []);

  return (
    <section aria-labelledby={headingId} className={clsx('stack', styles.section)}>
      <h2 id={headingId} className={clsx('heading', styles.title)}>
        {t('profile.accountTitle')}
      </h2>
      <Card>
        <ul>
          {SETTINGS.map((setting) => (
            <Setting
              key={setting.dialog}
              {...setting}
              user={user}
              account={account}
              status={
                setting.dialog === 'email' && pendingEmail
                  ? t('profile.emailPending', { email: pendingEmail })
                  : undefined
              }
            />
          ))}
          <SettingRow icon={Newspaper} titleId="profile.newsletter" textId="profile.newsletterText">
            {data && <NewsletterLink url={data.newsletterSettingsUrl} />}
          </SettingRow>
        </ul>
      </Card>
      <Card className={styles.danger}>
        <ul>
          <Setting {...DELETION} user={user} account={account} />
        </ul>
      </Card>
    </section>
  );
}

/** The page that mails link to, or the form for a member whose address gets no newsletter or is not verified. */
function NewsletterLink({ url }: { url: string | null }) {
  const t = useT();
  return (
    <a
      href={url ?? '/newsletter'}
      className={getButtonClass('secondary', settingStyles.button)}
      referrerPolicy={url ? 'no-referrer' : undefined}
    >
      {t(url ? 'profile.changeNewsletter' : 'profile.subscribe')}
    </a>
  );
}
