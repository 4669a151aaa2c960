import { createContext, use, useCallback } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';

import { useHydrated } from '../useHydrated';

interface Navigation {
  /** Load the code of a page, and then navigate. */
  openPage: (to: string, navigate: () => void, reason: 'link' | 'redirect') => unknown;
  /** Whether a page is being loaded; after Back or Forward, the address is already its own. */
  isOpening: boolean;
}

/** How the app opens a page. */
export const NavigationContext = createContext<Navigation>({
  openPage: (_, navigate) => navigate(),
  isOpening: false,
});

/**
 * Return React Router's `navigate`, which waits until the page has been loaded. When the page cannot be reached, a link stays
 * on the present page and says so; a redirect, whose page is over, shows the failure.
 */
export function useGo(reason: 'link' | 'redirect') {
  const { openPage } = use(NavigationContext);
  const navigate = useNavigate();
  return useCallback(
    (to: string, options?: NavigateOptions) => void openPage(to, () => void navigate(to, options), reason),
    [openPage, navigate, reason],
  );
}

/** Return a function that goes back to the previous page of this site, or home when there is none. */
export function useGoBack(): () => void {
  const navigate = useNavigate();
  const go = useGo('link');
  const { key } = useLocation();

  return () => {
    // The router's first key is "default"; the Navigation API also knows pages before a full load.
    const hasPrevious = 'navigation' in window ? window.navigation.canGoBack : key !== 'default';
    if (hasPrevious) void navigate(-1);
    else go('/');
  };
}

/** Return the query of the address; blank while a prerendered page is hydrated, because it was rendered without one. */
export function useSearch(): string {
  const { search } = useLocation();
  return useHydrated() ? search : '';
}
