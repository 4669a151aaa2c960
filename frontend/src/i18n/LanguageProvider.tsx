import {
  Children,
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { IntlProvider, type ResolvedIntlConfig } from 'react-intl';

import { loadChunk, type Need } from '../lib/loadChunk';
import { type Catalogue, loadLanguage } from './catalogues';
import { type Language, LOCALES, readStoredLanguage, storeLanguage } from './languages';

/** A language with its messages already loaded. */
export interface LoadedLanguage {
  language: Language;
  messages: Catalogue;
}

interface LanguageState {
  language: Language;
  /**
   * Changes the language in place and stores the choice for later visits.
   *
   * @param need `optional` for a choice that is stored already, and stays stored when its messages cannot be loaded
   * @throws when the messages cannot be loaded; the page then stays unchanged
   */
  switchLanguage: (next: Language, need?: Need) => Promise<void>;
}

const LanguageContext = createContext<LanguageState | undefined>(undefined);

interface LanguageProviderProps {
  /** The language of the first render. */
  initial: LoadedLanguage;
  /** Called with the error of a message that is missing or cannot be formatted. By default it is reported as uncaught. */
  onError?: ResolvedIntlConfig['onError'];
  children: ReactNode;
}

// Looked up when it is called, because Node.js, which prerenders, has no `reportError`.
const reportMissing = (error: unknown) => reportError(error);

/**
 * Render a message with each of its texts as the only child of an element.
 *
 * A browser's translator replaces text nodes. React fails when it removes such a node, or inserts before it, and changes
 * nothing visible when it updates one. The text of an element without other children it sets as a whole.
 */
export function Text({ children }: { children?: ReactNode }) {
  return Children.map(children, (child) => (typeof child === 'object' ? child : <span>{child}</span>));
}

/** Provides the messages, formats and state of the language (spec section 4). */
export function LanguageProvider({ initial, onError = reportMissing, children }: LanguageProviderProps) {
  const [current, setCurrent] = useState(initial);
  const wanted = useRef(initial.language);

  useEffect(() => {
    const { documentElement } = document;
    documentElement.lang = current.language;
    documentElement.dataset.language = current.language; // a translator changes `lang`
  }, [current.language]);

  const state = useMemo(() => {
    async function switchLanguage(next: Language, need: Need = 'required') {
      wanted.current = next;
      storeLanguage(next);
      try {
        // The cookie is set first: if a missing chunk reloads the page, the server answers in the new language.
        const messages = await loadChunk(() => loadLanguage(next), need);
        // The latest choice wins, even if the messages of an earlier one arrive later.
        if (wanted.current === next) startTransition(() => setCurrent({ language: next, messages }));
      } catch (error) {
        if (wanted.current === next && need === 'required') {
          wanted.current = current.language;
          storeLanguage(current.language);
        }
        throw error;
      }
    }
    return { language: current.language, switchLanguage };
  }, [current.language]);

  useEffect(() => {
    const { language, switchLanguage } = state;
    // The server answers in the language that the visitor chose last, perhaps in another tab.
    function followChoice() {
      const chosen = readStoredLanguage() ?? language;
      if (chosen !== language) switchLanguage(chosen, 'optional').catch(() => undefined);
    }
    document.addEventListener('visibilitychange', followChoice);
    return () => document.removeEventListener('visibilitychange', followChoice);
  }, [state]);

  return (
    <LanguageContext value={state}>
      <IntlProvider
        locale={LOCALES[current.language]}
        messages={current.messages as ResolvedIntlConfig['messages']}
        textComponent={Text}
        onError={onError}
      >
        {children}
      </IntlProvider>
    </LanguageContext>
  );
}

/**
 * Return the language of the page and the function that changes it.
 *
 * @throws {Error} outside a LanguageProvider
 */
export function useLanguage(): LanguageState {
  const state = use(LanguageContext);
  if (!state) throw new Error('useLanguage must be used within a LanguageProvider');
  return state;
}
