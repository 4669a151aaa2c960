import { type ReactNode, Suspense, useEffect, useState } from 'react';

import { lazyWithPreload } from '../lazy/lazyWithPreload';
import { OptionalBoundary } from '../lazy/OptionalBoundary';
import { onUserInteraction } from '../lazy/userInteraction';
import { useSiteConfig } from '../config/SiteConfig';
import { readConsent, useConsent } from './consent';
import { trackNavigation } from './pageChange';
import { usePrivacyRequest } from './privacyRequest';

/** The consent banner and the measurement; only for a site with a measurement id. */
export const Privacy = lazyWithPreload(async () => {
  const module = await import(/* webpackChunkName: "privacy" */ './Privacy');
  return module.Privacy;
}, 'optional');

/**
 * Counts what visitors do in everything inside it. It leaves the browser only if the site has a measurement id and the
 * visitor agrees.
 *
 * What that takes is no part of the first load. Who has agreed is measured once the page has loaded; who has not been
 * asked yet is asked at the first sign of life; who has rejected loads nothing, until the footer's button is pressed.
 */
export function Analytics({ children }: { children: ReactNode }) {
  const isMeasured = useSiteConfig().gaMeasurementId !== '';
  const consent = useConsent();
  const request = usePrivacyRequest();
  const [isWanted, setWanted] = useState(false);
  if (request && !isWanted) setWanted(true);

  useEffect(() => {
    // On the way down: further up the router has changed the address.
    document.addEventListener('click', trackNavigation, { capture: true });
    return () => document.removeEventListener('click', trackNavigation, { capture: true });
  }, []);

  useEffect(() => {
    const want = () => setWanted(true);
    if (!isMeasured) return undefined;
    // In the first pass over a page that was rendered at build time it is nobody's yet; the visitor's own follows.
    if (consent !== readConsent()) return undefined;
    if (consent === 'denied') return undefined;
    if (!consent) return onUserInteraction(want);
    if (document.readyState === 'complete') want();
    window.addEventListener('load', want);
    return () => window.removeEventListener('load', want);
  }, [isMeasured, consent]);

  return (
    <>
      {/* Comes first, so that a keyboard meets it before the page. */}
      {isMeasured && isWanted && (
        <OptionalBoundary>
          <Suspense>
            <Privacy />
          </Suspense>
        </OptionalBoundary>
      )}
      {children}
    </>
  );
}
