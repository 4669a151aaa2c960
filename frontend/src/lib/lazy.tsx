import { type ComponentType, use } from 'react';

import { type CatalogueName, loadCatalogue } from '../i18n/catalogues';
import { loadChunk, type Need } from './loadChunk';

/**
 * A module that is loaded with its messages. React's own `lazy` suspends on the first render even when the code is there,
 * which would break hydration.
 */
export interface LazyModule<Module> {
  /**
   * Load it. After a failure, each call tries again.
   *
   * @param reload see `loadChunk`
   */
  preload: (need: Need, reload?: () => void) => Promise<Module>;
  isLoaded: () => boolean;
  /** Return the module. A component suspends until it is loaded, and throws why it could not be. */
  useModule: () => Module;
}

/** A component that is loaded with its messages. */
export type LazyComponent<Props extends object = object> = ComponentType<Props> &
  LazyModule<{ default: ComponentType<Props> }>;

/** Declare a module that is loaded on its own, with messages beyond those of every page. */
export function lazyModule<Module>(
  load: () => Promise<Module>,
  catalogues: readonly CatalogueName[] = [],
): LazyModule<Module> {
  let loaded: Module | undefined;
  let loading: Promise<Module> | undefined;

  async function loadAll() {
    const [module] = await Promise.all([load(), ...catalogues.map((name) => loadCatalogue(name))]);
    loaded = module;
    return module;
  }
  function preload(need: Need, reload?: () => void) {
    if (!loaded || !loading) loading = loadChunk(loadAll, need, reload);
    return loading;
  }
  return {
    preload,
    isLoaded: () => loaded !== undefined,
    useModule: () => loaded ?? use(loading ?? preload('required')),
  };
}

/** Declare a component that is loaded on its own, with messages. */
export function lazyWithMessages<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  catalogues?: readonly CatalogueName[],
): LazyComponent<Props> {
  const module = lazyModule(load, catalogues);
  function Lazy(props: Props) {
    const { default: Content } = module.useModule();
    return <Content {...props} />;
  }
  return Object.assign(Lazy, module);
}
