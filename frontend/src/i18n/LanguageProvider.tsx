import {
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

import { loadChunk } from '../lazy/loadChunk';
import { type Catalogue, loadCatalogue } from './catalogues';
import { keepLanguage } from './languageCookie';
import { type Language, LOCALES } from './languages';

/** A language with its messages already loaded. */
export interface LoadedLanguage {
  language: Language;
  messages: Catalogue;
}

interface LanguageState {
  language: Language;
  /**
   * Changes the language of the page in place and keeps the choice for later visits.
   *
   * @throws when the texts cannot be loaded; the page and the choice then stay as they were
   */
  switchLanguage: (next: Language) => Promise<void>;
}

const LanguageContext = createContext<LanguageState | undefined>(undefined);

interface LanguageProviderProps {
  /** The language of the first render. */
  initial: LoadedLanguage;
  /** Loads what the page needs in another language, beside the messages that every page needs. */
  prepare: (from: Language, to: Language) => Promise<unknown>;
  /** Told of a message that is missing or cannot be formatted; react-intl's own way when left out. */
  onError?: ResolvedIntlConfig['onError'];
  children: ReactNode;
}

/** Gives everything inside it the messages, formats and state of the language (spec section 4). */
export function LanguageProvider({ initial, prepare, onError, children }: LanguageProviderProps) {
  const [current, setCurrent] = useState(initial);
  const wanted = useRef(initial.language);

  useEffect(() => {
    document.documentElement.lang = current.language;
  }, [current.language]);

  const state = useMemo(() => {
    async function switchLanguage(next: Language) {
      wanted.current = next;
      keepLanguage(next);
      try {
        // Should it take a reload, the server answers in the new language: the choice is kept.
        const load = () => Promise.all([loadCatalogue(next), prepare(current.language, next)]);
        const [messages] = await loadChunk(load, 'required');
        // A later choice wins over one whose messages took longer.
        if (wanted.current === next) startTransition(() => setCurrent({ language: next, messages }));
      } catch (error) {
        if (wanted.current === next) {
          wanted.current = current.language;
          keepLanguage(current.language);
        }
        throw error;
      }
    }
    return { language: current.language, switchLanguage };
  }, [current.language, prepare]);

  return (
    <LanguageContext value={state}>
      <IntlProvider
        locale={LOCALES[current.language]}
        messages={current.messages as ResolvedIntlConfig['messages']}
        {...(onError && { onError })}
      >
        {children}
      </IntlProvider>
    </LanguageContext>
  );
}

/**
 * The language of the page and how to change it.
 *
 * @throws {Error} outside a LanguageProvider
 */
export function useLanguage(): LanguageState {
  const state = use(LanguageContext);
  if (!state) throw new Error('useLanguage must be used within a LanguageProvider');
  return state;
}
