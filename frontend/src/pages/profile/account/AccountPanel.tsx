import { type ReactNode, useMemo } from 'react';
import { IntlProvider, type ResolvedIntlConfig, useIntl } from 'react-intl';

import { useLanguage } from '../../../i18n/LanguageProvider';
import cs from '../../../i18n/messages/cs/account.json';
import en from '../../../i18n/messages/en/account.json';
import { DeleteAccountDialog } from './DeleteAccountDialog';
import { DownloadData } from './DownloadData';
import { EmailChange } from './EmailChange';
import { NewsletterPreferences } from './NewsletterPreferences';
import type { PanelProps } from './panel';
import { PasswordChange } from './PasswordChange';
import { SignOutEverywhereDialog } from './SignOutEverywhereDialog';

/** In one chunk with the panels: the build lists every further chunk in the first load of every page. */
const MESSAGES = { en, cs };

const PANELS = {
  password: PasswordChange,
  email: EmailChange,
  newsletter: NewsletterPreferences,
  data: DownloadData,
  sessions: SignOutEverywhereDialog,
  deletion: DeleteAccountDialog,
};

export type PanelName = keyof typeof PANELS;

/** The panel or dialog of a setting, with its messages. */
export default function AccountPanel({ name, ...props }: PanelProps & { name: PanelName }) {
  const Panel = PANELS[name];
  return (
    <AccountMessages>
      <Panel {...props} />
    </AccountMessages>
  );
}

/** Add the messages of the panels to those of the page. */
function AccountMessages({ children }: { children: ReactNode }) {
  const intl = useIntl();
  const { messages } = intl;
  const { language } = useLanguage();
  const all = useMemo(
    () => ({ ...messages, ...MESSAGES[language] }) as ResolvedIntlConfig['messages'],
    [messages, language],
  );
  return (
    <IntlProvider {...intl} messages={all}>
      {children}
    </IntlProvider>
  );
}
