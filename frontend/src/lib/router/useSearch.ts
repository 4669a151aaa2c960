import { useLocation } from 'react-router-dom';

import { useHydrated } from '../useHydrated';

/** Return the query of the address; blank while a prerendered page is hydrated, because it was rendered without one. */
export function useSearch(): string {
  const { search } = useLocation();
  return useHydrated() ? search : '';
}
