import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

import { trackPageView } from './track';

/**
 * Record a page view on each change of the path (spec section 1).
 *
 * Must be rendered after the component that sets the document title.
 */
export function PageView() {
  const { pathname } = useLocation();
  useEffect(() => trackPageView(pathname), [pathname]);
  return null;
}
