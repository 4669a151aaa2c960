import { type ReactNode, Suspense, useEffect, useState } from 'react';

import { lazyWithPreload } from '../lazy/lazyWithPreload';
import { OptionalBoundary } from '../lazy/OptionalBoundary';
import { onUserInteraction } from '../lazy/userInteraction';
import { useSiteConfig } from '../config/SiteConfig';
import { readConsent, useConsent } from './consent';
import { usePrivacyRequest } from './privacyRequest';
import { trackNavigation } from './track';

/** The consent banner and Google's tag; not loaded without a measurement id. */
export const Privacy = lazyWithPreload(async () => {
  const module = await import(/* webpackChunkName: "privacy" */ './Privacy');
  return module.Privacy;
}, 'optional');

/**
 * Track clicks on links, and load the consent banner and Google's tag when they are needed.
 *
 * After a consent that is once the page has loaded; before an answer on the first interaction; after a rejection only
 * when the footer's button is pressed.
 */
export function Analytics({ children }: { children: ReactNode }) {
  const isMeasured = useSiteConfig().gaMeasurementId !== '';
  const consent = useConsent();
  const request = usePrivacyRequest();
  const [isNeeded, setNeeded] = useState(false);
  if (request && !isNeeded) setNeeded(true);

  useEffect(() => {
    // In the capture phase, before the router changes the address.
    document.addEventListener('click', trackNavigation, { capture: true });
    return () => document.removeEventListener('click', trackNavigation, { capture: true });
  }, []);

  useEffect(() => {
    const load = () => setNeeded(true);
    if (!isMeasured) return undefined;
    // Hydration renders without the stored consent first.
    if (consent !== readConsent()) return undefined;
    if (consent === 'denied') return undefined;
    if (!consent) return onUserInteraction(load);
    if (document.readyState === 'complete') load();
    window.addEventListener('load', load);
    return () => window.removeEventListener('load', load);
  }, [isMeasured, consent]);

  return (
    <>
      {/* First in the tab order. */}
      {isMeasured && isNeeded && (
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
