import { type ReactNode, useMemo } from 'react';
import { IntlProvider, type ResolvedIntlConfig, useIntl } from 'react-intl';

import type { Catalogue } from './catalogues';

interface MoreMessagesProps {
  /** In the language of the surroundings. */
  messages: Catalogue;
  children: ReactNode;
}

/** Adds a part's own messages to those that its surroundings have. */
export function MoreMessages({ messages, children }: MoreMessagesProps) {
  const { locale, messages: known, onError } = useIntl();
  const all = useMemo(() => ({ ...known, ...messages }) as ResolvedIntlConfig['messages'], [known, messages]);
  return (
    <IntlProvider locale={locale} messages={all} onError={onError}>
      {children}
    </IntlProvider>
  );
}
