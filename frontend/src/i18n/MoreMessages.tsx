import { type ReactNode, useMemo } from 'react';
import { IntlProvider, useIntl } from 'react-intl';

import { type CatalogueName, loadedCatalogue } from './catalogues';
import { useLanguage } from './LanguageProvider';

interface MoreMessagesProps {
  /** The catalogues, which must be loaded; the same array on every render. */
  of: readonly CatalogueName[];
  children?: ReactNode;
}

/** Add the messages of catalogues to those of the surroundings. */
export function MoreMessages({ of, children }: MoreMessagesProps) {
  const intl = useIntl();
  const { messages } = intl;
  const { language } = useLanguage();
  const all = useMemo(
    () =>
      Object.assign({}, messages, ...of.map((name) => loadedCatalogue(name, language))) as typeof messages,
    [messages, of, language],
  );
  return (
    <IntlProvider {...intl} messages={all}>
      {children}
    </IntlProvider>
  );
}
