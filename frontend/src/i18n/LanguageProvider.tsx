import { Children, type ReactNode, useCallback, useEffect, useSyncExternalStore } from 'react';
import { IntlProvider, type ResolvedIntlConfig, useIntl } from 'react-intl';

import { loadChunk, type Need } from '../lib/loadChunk';
import { getLanguage, loadLanguage, type MessageId, messages, setLanguage, subscribe } from './catalogues';
import { type Language, LOCALES, readStoredLanguage, storeLanguage } from './languages';

/** The language that was chosen last, whose messages may still be loading. */
let wanted: Language | undefined;

/**
 * Change the language in place and store the choice for later visits.
 *
 * @param need `optional` for a choice that is stored already, and stays stored when its messages cannot be loaded
 * @throws when the messages cannot be loaded; the page then stays unchanged
 */
export async function switchLanguage(next: Language, need: Need = 'required'): Promise<void> {
  wanted = next;
  storeLanguage(next);
  try {
    // The cookie is set first: if a missing chunk reloads the page, the server answers in the new language.
    await loadChunk(() => loadLanguage(next), need);
    // The latest choice wins, even if the messages of an earlier one arrive later.
    if (wanted === next) setLanguage(next);
  } catch (error) {
    if (wanted === next && need === 'required') {
      wanted = undefined;
      storeLanguage(getLanguage());
    }
    throw error;
  }
}

/** The server answers in the language that the visitor chose last, perhaps in another tab. */
function followChoice() {
  const chosen = readStoredLanguage() ?? getLanguage();
  if (chosen !== getLanguage()) switchLanguage(chosen, 'optional').catch(() => undefined);
}

/** Return the language of the page. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, getLanguage, getLanguage);
}

/** Return the function that formats a message as plain text. It must be the only text of its element (see `Text`). */
export function useT() {
  const { formatMessage } = useIntl();
  return useCallback(
    (id: MessageId, values?: Record<string, string | number>) => formatMessage({ id }, values),
    [formatMessage],
  );
}

/**
 * Render a message with each of its texts as the only child of an element.
 *
 * A browser's translator replaces text nodes. React fails when it removes such a node, or inserts before it, and changes
 * nothing visible when it updates one. The text of an element without other children it sets as a whole.
 */
export function Text({ children }: { children?: ReactNode }) {
  return Children.map(children, (child) => (typeof child === 'object' ? child : <span>{child}</span>));
}

/** Provides the messages and formats of the language (spec section 4). */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const language = useLanguage();

  useEffect(() => {
    const { documentElement } = document;
    documentElement.lang = language;
    documentElement.dataset.language = language; // a translator changes `lang`
  }, [language]);

  useEffect(() => {
    document.addEventListener('visibilitychange', followChoice);
    return () => document.removeEventListener('visibilitychange', followChoice);
  }, []);

  return (
    <IntlProvider
      locale={LOCALES[language]}
      messages={messages[language] as ResolvedIntlConfig['messages']}
      textComponent={Text}
      onError={(error) => reportError(error)}
    >
      {children}
    </IntlProvider>
  );
}
