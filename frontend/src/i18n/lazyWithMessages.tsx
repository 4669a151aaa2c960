import { type ComponentType, createElement, lazy, type LazyExoticComponent, useState } from 'react';

import { loadChunk } from '../lazy/loadChunk';

/** A component whose chunk is loaded when it is rendered, or earlier by `preload`. */
export type LazyComponent<Props extends object = object> = ComponentType<Props> & {
  /** Load the chunk. After a failure, each call tries again. */
  preload: () => Promise<void>;
  isLoaded: () => boolean;
};

/**
 * Wrap `React.lazy`: a component that has been preloaded renders without suspending, as hydration needs.
 *
 * A failed load is kept, so that the nearest error boundary shows it, until `preload` is called again.
 *
 * @param load imports the chunk, whose default export is the component
 * @param need whether a page cannot do without the chunk (see loadChunk)
 */
export function lazyWithMessages<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  need: 'required' | 'optional' = 'required',
): LazyComponent<Props> {
  let status: 'idle' | 'loading' | 'failed' | 'loaded' = 'idle';
  let loading: Promise<{ default: ComponentType<Props> }>;
  let Current: ComponentType<Props> | LazyExoticComponent<ComponentType<Props>>;

  function start() {
    status = 'loading';
    loading = loadChunk(load, need);
    Current = lazy(() => loading);
    loading.then(
      ({ default: component }) => {
        status = 'loaded';
        Current = component;
      },
      () => {
        status = 'failed';
      },
    );
  }

  function Lazy(props: Props) {
    if (status === 'idle') start();
    // The choice must not change while mounted: another component type would lose the state below.
    const [component] = useState(() => Current);
    return createElement(component, props);
  }

  async function preload() {
    if (status === 'idle' || status === 'failed') start();
    await loading;
  }

  return Object.assign(Lazy, { preload, isLoaded: () => status === 'loaded' });
}
