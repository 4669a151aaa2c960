import { createContext, use } from 'react';
import { type Location, useLocation } from 'react-router-dom';

/** The location of the page that is shown. React Router's is ahead of it while the code of the next page is loading. */
export const ShownLocationContext = createContext<Location | undefined>(undefined);

/** Return the location of the page that is shown; React Router's outside the app's pages. */
export function useShownLocation(): Location {
  const present = useLocation();
  return use(ShownLocationContext) ?? present;
}
