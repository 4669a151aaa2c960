import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

import { viewPage } from './pageViews';

/**
 * Counts a page view on each route change (spec section 1). It stands behind what sets the title of the page,
 * so that the title is the new one; another fragment or query of the same page is no route change.
 */
export function PageView() {
  const { pathname } = useLocation();
  useEffect(() => viewPage(pathname), [pathname]);
  return null;
}
