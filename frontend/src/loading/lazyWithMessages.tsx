import { type ComponentType, use, useMemo } from 'react';
import { IntlProvider, useIntl } from 'react-intl';

import { loadChunk, type Need } from '../chunks/loadChunk';
import { type CatalogueName, loadCatalogue, getLoadedCatalogue } from '../i18n/catalogues';
import { useLanguage } from '../i18n/LanguageProvider';
import type { Language } from '../i18n/languages';

/** A component whose chunk and messages are loaded when it is rendered, or earlier by `preload`. */
export type LazyComponent<Props extends object = object> = ComponentType<Props> & {
  /** Load the chunk, and the messages in a language. After a failure, each call tries again. */
  preload: (language: Language, need: Need) => Promise<void>;
  /** Return whether the chunk, and the messages in a language, are loaded. */
  isLoaded: (language: Language) => boolean;
};

/**
 * Declare a component that is loaded on its own, and adds its messages to those of its surroundings.
 *
 * With its messages preloaded, it renders without suspending, as hydration needs. In another language it suspends until they
 * are there. A failed load is kept, so that the nearest error boundary shows it, until `preload` is called again.
 *
 * @param load imports the chunk, whose default export is the component
 * @param catalogues the messages beyond those of every page
 */
export function lazyWithMessages<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  catalogues: readonly CatalogueName[] = [],
): LazyComponent<Props> {
  let Content: ComponentType<Props> | undefined;
  const loads = new Map<Language, Promise<void>>();
  const fulfilled = new Set<Promise<void> | undefined>();

  function preload(language: Language, need: Need) {
    const previous = loads.get(language);
    if (previous && fulfilled.has(previous)) return previous;
    const loading = loadChunk(
      () => Promise.all([load(), ...catalogues.map((name) => loadCatalogue(name, language))]),
      need,
    ).then(([module]) => {
      // The same component for ever: another one would lose the state below.
      Content ??= module.default;
      // React sets this status itself when it has read a promise: `use` does not suspend then.
      fulfilled.add(Object.assign(loading, { status: 'fulfilled' }));
    });
    loads.set(language, loading);
    return loading;
  }

  function Lazy(props: Props) {
    const { language } = useLanguage();
    const intl = useIntl();
    const { messages: shared } = intl;
    use(loads.get(language) ?? preload(language, 'optional'));
    const messages = useMemo(
      () =>
        Object.assign(
          {},
          shared,
          ...catalogues.map((name) => getLoadedCatalogue(name, language)),
        ) as typeof shared,
      [shared, language],
    );
    return (
      <IntlProvider {...intl} messages={messages}>
        {Content && <Content {...props} />}
      </IntlProvider>
    );
  }

  const isLoaded = (language: Language) => fulfilled.has(loads.get(language));
  return Object.assign(Lazy, { preload, isLoaded });
}
