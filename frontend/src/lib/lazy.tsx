import type { ComponentType } from 'react';

import { type CatalogueName, loadCatalogue } from '../i18n/catalogues';
import { loadChunk, type Need } from './loadChunk';

/** A module whose chunk and messages are loaded ahead of its use. React's own `lazy` would suspend while hydrating. */
export interface LazyModule<Module> {
  /**
   * Load it. After a failure, each call tries again.
   *
   * @param reload see `loadChunk`
   */
  preload: (need: Need, reload?: () => void) => Promise<void>;
  isLoaded: () => boolean;
  /** Return the module; throw why it could not be loaded. */
  getModule: () => Module;
}

/** A component that is loaded with its messages; render it once it is. */
export type LazyComponent<Props extends object = object> = ComponentType<Props> &
  LazyModule<{ default: ComponentType<Props> }>;

/** Declare a module that is loaded on its own, with messages beyond those of every page. */
export function lazyModule<Module>(
  load: () => Promise<Module>,
  catalogues: readonly CatalogueName[] = [],
): LazyModule<Module> {
  let loaded: Module | undefined;
  let failure: unknown;
  return {
    async preload(need, reload) {
      if (loaded) return;
      const loadAll = () => Promise.all([load(), ...catalogues.map((name) => loadCatalogue(name))]);
      try {
        [loaded] = await loadChunk(loadAll, need, reload);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    isLoaded: () => loaded !== undefined,
    getModule() {
      if (!loaded) throw failure;
      return loaded;
    },
  };
}

/** Declare a component that is loaded on its own, with messages. */
export function lazyWithMessages<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  catalogues?: readonly CatalogueName[],
): LazyComponent<Props> {
  const module = lazyModule(load, catalogues);
  function Lazy(props: Props) {
    const { default: Content } = module.getModule();
    return <Content {...props} />;
  }
  return Object.assign(Lazy, module);
}
