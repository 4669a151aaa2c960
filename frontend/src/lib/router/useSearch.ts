import { useHydrated } from '../useHydrated';
import { useShownLocation } from './shownLocation';

/** Return the query of the address; blank while a prerendered page is hydrated, because it was rendered without one. */
export function useSearch(): string {
  const { search } = useShownLocation();
  return useHydrated() ? search : '';
}
