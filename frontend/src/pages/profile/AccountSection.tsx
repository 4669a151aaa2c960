import { AtSign, Download, KeyRound, MonitorSmartphone, Newspaper, Trash2 } from 'lucide';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { onUserInteraction } from '../../chunks/userInteraction';
import type { Member } from '../../session/AuthProvider';
import { importApi } from '../../session/SessionStore';
import { useLazyLoad } from '../../toast/useLazyLoad';
import { Card } from '../../ui/Card';
import { LazyAccountPanel, Setting } from './account/Setting';
import * as styles from './AccountSection.module.css';

/** What a member can do with the account, each in a panel or a dialog; what cannot be undone comes last. */
export function AccountSection({ user }: { user: Member }) {
  const headingId = useId();
  const hasPendingEmail = useHasPendingEmail();
  const { load } = useLazyLoad(LazyAccountPanel);
  const preload = useEffectEvent(() => void load('optional'));
  useEffect(() => onUserInteraction(() => preload()), []);

  return (
    <section aria-labelledby={headingId} className={styles.section}>
      <h2 id={headingId} className={styles.title}>
        <FormattedMessage id="profile.accountTitle" />
      </h2>
      <Card>
        <ul>
          <Setting
            icon={KeyRound}
            titleId="profile.password"
            textId="profile.passwordText"
            actionId="profile.changePassword"
            button="change_password"
            panel="password"
            user={user}
          />
          <Setting
            icon={AtSign}
            titleId="profile.signInEmail"
            textId="profile.signInEmailText"
            actionId="profile.changeEmail"
            button="change_email"
            panel="email"
            opensItself={hasPendingEmail}
            user={user}
          />
          <Setting
            icon={Newspaper}
            titleId="profile.newsletter"
            textId="profile.newsletterText"
            actionId="profile.changeNewsletter"
            button="newsletter_preferences"
            panel="newsletter"
            user={user}
          />
          <Setting
            icon={Download}
            titleId="profile.data"
            textId="profile.dataText"
            actionId="profile.download"
            button="download_data"
            panel="data"
            user={user}
          />
          <Setting
            icon={MonitorSmartphone}
            titleId="profile.sessions"
            textId="profile.sessionsText"
            actionId="profile.signOutEverywhere"
            button="sign_out_everywhere"
            hasDialog
            panel="sessions"
            user={user}
          />
        </ul>
      </Card>
      <Card className={styles.danger}>
        <ul>
          <Setting
            icon={Trash2}
            titleId="profile.delete"
            textId="profile.deleteText"
            actionId="profile.deleteOpen"
            button="delete_account"
            hasDialog
            isDangerous
            panel="deletion"
            user={user}
          />
        </ul>
      </Card>
    </section>
  );
}

/** Return whether a change of the email waits for its confirmation; false until the server has answered. */
function useHasPendingEmail(): boolean {
  const [hasPendingEmail, setHasPendingEmail] = useState(false);
  useEffect(() => {
    importApi()
      .then(({ fetchPendingEmail }) => fetchPendingEmail())
      .then(
        (email) => setHasPendingEmail(Boolean(email)),
        // The panel asks again, and shows why it fails.
        () => undefined,
      );
  }, []);
  return hasPendingEmail;
}
