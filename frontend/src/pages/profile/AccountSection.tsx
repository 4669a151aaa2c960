import { clsx } from 'clsx';
import { AtSign, Download, KeyRound, MonitorSmartphone, Newspaper, Trash2 } from 'lucide';
import { useEffect, useEffectEvent, useId } from 'react';

import { useT } from '../../i18n/LanguageProvider';
import { onUserInteraction } from '../../lib/userInteraction';
import type { Member } from '../../session/member';
import { useLazyLoad } from '../../shell/useLazyLoad';
import { getButtonClass } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { useAccountQuery } from './account/accountApi';
import { LazyAccountPanel, Setting, type SettingOptions, SettingRow } from './account/Setting';
import * as settingStyles from './account/Setting.module.css';
import * as styles from './AccountSection.module.css';

/** What a member can do with the account, each in a panel or a dialog. */
const SETTINGS: readonly SettingOptions[] = [
  {
    panel: 'password',
    icon: KeyRound,
    titleId: 'auth.password',
    textId: 'profile.passwordText',
    actionId: 'profile.changePassword',
    button: 'change_password',
  },
  {
    panel: 'email',
    icon: AtSign,
    titleId: 'auth.email',
    textId: 'profile.signInEmailText',
    actionId: 'profile.changeEmail',
    button: 'change_email',
  },
  {
    panel: 'data',
    icon: Download,
    titleId: 'profile.data',
    textId: 'profile.dataText',
    actionId: 'profile.download',
    button: 'download_data',
  },
  {
    panel: 'sessions',
    icon: MonitorSmartphone,
    titleId: 'profile.sessions',
    textId: 'profile.sessionsText',
    actionId: 'profile.signOutEverywhere',
    button: 'sign_out_everywhere',
    hasDialog: true,
  },
];

/** It cannot be undone, so it comes last, in a card of its own. */
const DELETION: SettingOptions = {
  panel: 'deletion',
  icon: Trash2,
  titleId: 'profile.delete',
  textId: 'profile.deleteText',
  actionId: 'profile.deleteOpen',
  button: 'delete_account',
  hasDialog: true,
  isDangerous: true,
};

export function AccountSection({ user }: { user: Member }) {
  const t = useT();
  const headingId = useId();
  // If this fails, the email panel asks again and shows why, and the newsletter has no link.
  const { data } = useAccountQuery();
  const { load } = useLazyLoad(LazyAccountPanel);
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
              key={setting.panel}
              {...setting}
              user={user}
              opensByItself={setting.panel === 'email' && Boolean(data?.account.pendingEmail)}
            />
          ))}
          <SettingRow icon={Newspaper} titleId="profile.newsletter" textId="profile.newsletterText">
            {data && <NewsletterLink url={data.newsletterSettingsUrl} />}
          </SettingRow>
        </ul>
      </Card>
      <Card className={styles.danger}>
        <ul>
          <Setting {...DELETION} user={user} />
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
