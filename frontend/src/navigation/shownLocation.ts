import { use, useDeferredValue, useLayoutEffect, useMemo, useState } from 'react';
// React Router has no public way to render a subtree at an earlier location and keep its navigation type.
import { UNSAFE_LocationContext as LocationContext } from 'react-router-dom';

import type { LazyComponent } from '../lazy/lazyWithPreload';
import { useHydrated } from '../ui/useHydrated';

/** Provides the location to React Router's hooks. */
export const ShownLocation = LocationContext.Provider;

interface PageOfPath {
  page: Pick<LazyComponent, 'preload'>;
  /** The values of `?source=` that the page was prerendered with. */
  sources?: readonly string[] | undefined;
}

/**
 * Return the location whose page is shown: the present one, or the previous one while the next page is loading.
 *
 * While a prerendered page is hydrated, the location has no query, because the page was rendered without one.
 */
export function useShownLocation(findPage: (pathname: string) => PageOfPath) {
  const requested = use(LocationContext);
  const deferred = useDeferredValue(requested);
  const isHydrated = useHydrated();
  const [first] = useState(requested.location);
  const { page } = findPage(requested.location.pathname);
  const isPending = page !== findPage(deferred.location.pathname).page;
  const shown = isPending ? deferred : requested;
  const { sources } = findPage(shown.location.pathname);

  useLayoutEffect(() => {
    // Try again if the page failed to load before. An error is shown by the error boundary.
    page.preload().catch(() => undefined);
  }, [page]);

  const value = useMemo(() => {
    if (isHydrated) return shown;
    const search = prerenderedSearch(shown.location.search, sources);
    return { ...shown, location: { ...shown.location, search } };
  }, [isHydrated, shown, sources]);

  return { value, isPending, isFirst: shown.location === first };
}

function prerenderedSearch(search: string, sources: readonly string[] = []): string {
  const source = new URLSearchParams(search).get('source');
  return source && sources.includes(source) ? `?source=${source}` : '';
}
