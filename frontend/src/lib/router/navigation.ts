import { createContext, use } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';

import { useHydrated } from '../useHydrated';

/** How the app opens a page: it loads its code, and then calls back. It stays on the present page when it cannot. */
export const OpenPageContext = createContext<(path: string, navigate: () => void) => unknown>((_, navigate) =>
  navigate(),
);

/** Return a function that follows a link of this site: React Router's `navigate`, once the page has been loaded. */
export function useGo() {
  const openPage = use(OpenPageContext);
  const navigate = useNavigate();
  return (to: string, options?: NavigateOptions) => openPage(to, () => void navigate(to, options));
}

/** Return a function that goes back to the previous page of this site, or home when there is none. */
export function useGoBack(): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();

  return () => {
    // The router's first key is "default"; the Navigation API also knows pages before a full load.
    const hasPrevious = 'navigation' in window ? window.navigation.canGoBack : key !== 'default';
    void (hasPrevious ? navigate(-1) : navigate('/'));
  };
}

/** Return the query of the address; blank while a prerendered page is hydrated, because it was rendered without one. */
export function useSearch(): string {
  const { search } = useLocation();
  return useHydrated() ? search : '';
}
