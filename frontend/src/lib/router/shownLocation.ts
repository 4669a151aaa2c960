import { use, useDeferredValue, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
// React Router has no public way to render a subtree at an earlier location and keep its navigation type.
import { NavigationType, UNSAFE_LocationContext as LocationContext } from 'react-router-dom';

import { useLanguage } from '../../i18n/LanguageProvider';
import type { LazyComponent } from '../lazyWithMessages';
import { isChunkLoadError } from '../loadChunk';
import { useHydrated } from '../useHydrated';

/** Provides the location to React Router's hooks. */
export const ShownLocation = LocationContext.Provider;

interface PageOfPath {
  page: Pick<LazyComponent, 'isLoaded' | 'preload'>;
  /** The values of `?source=` that the page was prerendered with. */
  sources?: readonly string[] | undefined;
}

/**
 * Return the location whose page is shown: the present one, or the previous one while the next page is loading.
 *
 * While a prerendered page is hydrated, the location has no query, because the page was rendered without one.
 *
 * @param onFailure called when the page of a followed link cannot be loaded, so that the previous one stays; with the
 * number of links that have been followed since
 */
export function useShownLocation(
  findPage: (pathname: string) => PageOfPath,
  onFailure: (followedLinks: number) => void,
) {
  const requested = use(LocationContext);
  // The latest location whose page has been loaded.
  const [loaded, setLoaded] = useState(requested);
  const deferred = useDeferredValue(loaded);
  const { language } = useLanguage();
  const followedLinks = useRef(0);
  const isHydrated = useHydrated();
  const [first] = useState(requested.location);
  const getPage = ({ location }: typeof requested) => findPage(location.pathname).page;
  const page = getPage(requested);
  const isMissing = page !== getPage(loaded) && !page.isLoaded(language);
  if (loaded !== requested && !isMissing) setLoaded(requested);
  const isPending = page !== getPage(deferred);
  const shown = getPage(loaded) === getPage(deferred) ? loaded : deferred;
  const { sources } = findPage(shown.location.pathname);

  const showPage = useEffectEvent(() => setLoaded(requested));
  const keepPage = useEffectEvent((error: unknown) => {
    if (requested.navigationType === NavigationType.Push && isChunkLoadError(error))
      onFailure(followedLinks.current);
    else showPage(); // the error boundary shows the failure
  });
  // Try again if the page failed to load before.
  const load = useEffectEvent(() => page.preload(language, 'required'));

  useLayoutEffect(() => {
    if (loaded === requested) followedLinks.current = 0;
    else if (requested.navigationType === NavigationType.Push) followedLinks.current += 1;
  }, [loaded, requested]);

  useLayoutEffect(() => {
    if (!isMissing) return undefined;
    let isCurrent = true;
    load().then(
      () => isCurrent && showPage(),
      (error: unknown) => isCurrent && keepPage(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [page, isMissing]);

  const value = useMemo(() => {
    if (isHydrated) return shown;
    const search = getPrerenderedSearch(shown.location.search, sources);
    return { ...shown, location: { ...shown.location, search } };
  }, [isHydrated, shown, sources]);

  return { value, isPending, isFirst: shown.location === first };
}

function getPrerenderedSearch(search: string, sources: readonly string[] = []): string {
  const source = new URLSearchParams(search).get('source');
  return source && sources.includes(source) ? `?source=${source}` : '';
}
