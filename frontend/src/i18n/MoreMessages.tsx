import { type ReactNode, useMemo } from 'react';
import { IntlProvider, type ResolvedIntlConfig, useIntl } from 'react-intl';

import { type CatalogueName, loadedCatalogue } from './catalogues';
import { useLanguage } from './LanguageProvider';

interface MoreMessagesProps {
  /** The catalogue, which must be loaded. */
  of: CatalogueName;
  children?: ReactNode;
}

/** Add the messages of a catalogue to those of the surroundings. */
export function MoreMessages({ of, children }: MoreMessagesProps) {
  const { locale, messages, onError } = useIntl();
  const { language } = useLanguage();
  const all = useMemo(
    () => ({ ...messages, ...loadedCatalogue(of, language) }) as ResolvedIntlConfig['messages'],
    [messages, of, language],
  );
  return (
    <IntlProvider locale={locale} messages={all} onError={onError}>
      {children}
    </IntlProvider>
  );
}
