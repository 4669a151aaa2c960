import { type ComponentType, type ReactNode, use, useMemo } from 'react';
import { IntlProvider, useIntl } from 'react-intl';

import { loadChunk, type Need } from './loadChunk';
import { type CatalogueName, loadCatalogue, getLoadedCatalogue } from '../i18n/catalogues';
import { useLanguage } from '../i18n/LanguageProvider';
import type { Language } from '../i18n/languages';

type Catalogues = readonly CatalogueName[];

/** A module whose chunk and messages are loaded when it is used, or earlier by `preload`. */
interface LazyModule<Module> {
  /** Load the chunk, and the messages in a language. After a failure, each call tries again. */
  preload: (language: Language, need: Need) => Promise<void>;
  /** Return whether the chunk, and the messages in a language, are loaded. */
  isLoaded: (language: Language) => boolean;
  /** Return the module; suspend until it is loaded with its messages in the present language. */
  useModule: () => Module;
}

/** A component that is loaded with its messages. */
export type LazyComponent<Props extends object = object> = ComponentType<Props> &
  LazyModule<{ default: ComponentType<Props> }>;

/**
 * Declare a module that is loaded on its own, with messages.
 *
 * What was preloaded is used without suspending, as hydration needs. A failed load is kept, so that the nearest error
 * boundary shows it, until `preload` is called again.
 *
 * @param load imports the chunk; what it resolves to first is kept, because another component would lose its state
 * @param catalogues the messages beyond those of every page
 */
export function lazyModule<Module>(
  load: () => Promise<Module>,
  catalogues: Catalogues = [],
): LazyModule<Module> {
  let loaded: Module | undefined;
  const loads = new Map<Language, Promise<void>>();
  const fulfilled = new Set<Promise<void> | undefined>();

  function preload(language: Language, need: Need) {
    const previous = loads.get(language);
    if (previous && fulfilled.has(previous)) return previous;
    const loading = loadChunk(
      () => Promise.all([load(), ...catalogues.map((name) => loadCatalogue(name, language))]),
      need,
    ).then(([module]) => {
      loaded ??= module;
      // What failed in another language, while offline, is not shown as failed after a switch to it.
      for (const [other, load] of loads) if (load !== loading && !fulfilled.has(load)) loads.delete(other);
      // React sets this status itself when it has read a promise: `use` does not suspend then.
      fulfilled.add(Object.assign(loading, { status: 'fulfilled' }));
    });
    loads.set(language, loading);
    return loading;
  }

  return {
    preload,
    isLoaded: (language) => fulfilled.has(loads.get(language)),
    useModule() {
      const { language } = useLanguage();
      use(loads.get(language) ?? preload(language, 'optional'));
      return loaded as Module;
    },
  };
}

/** Add loaded messages to those of the surroundings. */
export function WithMessages({ catalogues, children }: { catalogues: Catalogues; children: ReactNode }) {
  const { language } = useLanguage();
  const intl = useIntl();
  const { messages: shared } = intl;
  const messages = useMemo(() => {
    const added = catalogues.map((name) => getLoadedCatalogue(name, language));
    return Object.assign({}, shared, ...added) as typeof shared;
  }, [shared, catalogues, language]);
  return (
    <IntlProvider {...intl} messages={messages}>
      {children}
    </IntlProvider>
  );
}

/** Declare a component that is loaded on its own, and adds its messages to those of its surroundings. See `lazyModule`. */
export function lazyWithMessages<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  catalogues: Catalogues = [],
): LazyComponent<Props> {
  const module = lazyModule(load, catalogues);
  function Lazy(props: Props) {
    const { default: Content } = module.useModule();
    return (
      <WithMessages catalogues={catalogues}>
        <Content {...props} />
      </WithMessages>
    );
  }
  return Object.assign(Lazy, module);
}
