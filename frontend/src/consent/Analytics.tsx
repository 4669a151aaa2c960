import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';

import { useSiteConfig } from '../lib/SiteConfig';
import { lazyWithMessages } from '../lib/lazy';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { onUserInteraction } from '../lib/userInteraction';
import { useLazyLoad } from '../ui/useLazyLoad';
import { PRIVACY_REQUEST, readConsent, useConsent } from './consent';
import type { PrivacyProps } from './Privacy';

/** The consent banner, with its messages, and Google's tag. */
const Privacy = lazyWithMessages<PrivacyProps>(
  () => import(/* webpackChunkName: "privacy" */ './Privacy'),
  ['privacy'],
);

/**
 * Load the consent banner and Google's tag when they are needed, on a site with a measurement id.
 *
 * After a consent that is once the page has loaded; before an answer on the first interaction; after a rejection only
 * when the footer's button is pressed.
 */
export function Analytics({ children }: { children: ReactNode }) {
  const isMeasured = useSiteConfig().gaMeasurementId !== '';
  const consent = useConsent();
  const { isLoaded, load } = useLazyLoad(Privacy);
  const [request, setRequest] = useState<Event>();
  const preload = useEffectEvent(() => void load('optional'));
  const open = useEffectEvent((event: Event) => {
    setRequest(event);
    void load('required');
  });

  useEffect(() => {
    const listeners = new AbortController();
    document.addEventListener(PRIVACY_REQUEST, (event) => open(event), listeners);
    return () => listeners.abort();
  }, []);

  useEffect(() => {
    // Hydration renders without the stored consent first.
    if (!isMeasured || consent !== readConsent() || consent === 'denied') return undefined;
    if (!consent) return onUserInteraction(() => preload());
    const onLoad = () => preload();
    if (document.readyState === 'complete') onLoad();
    window.addEventListener('load', onLoad);
    return () => window.removeEventListener('load', onLoad);
  }, [isMeasured, consent]);

  return (
    <>
      {/* First in the tab order. */}
      {isMeasured && isLoaded && (
        <ErrorBoundary>
          <Privacy request={request} onClose={() => setRequest(undefined)} />
        </ErrorBoundary>
      )}
      {children}
    </>
  );
}
