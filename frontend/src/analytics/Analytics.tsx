import { type ReactNode, Suspense, useEffect, useState } from 'react';

import { documentLanguage, loadCatalogue } from '../i18n/catalogues';
import { MoreMessages } from '../i18n/MoreMessages';
import { lazyWithMessages } from '../i18n/lazyWithMessages';
import { ErrorBoundary } from '../lazy/ErrorBoundary';
import { onUserInteraction } from '../lazy/userInteraction';
import { useSiteConfig } from '../config/SiteConfig';
import { readConsent, useConsent } from './consent';
import type { PrivacyProps } from './Privacy';
import { PRIVACY_REQUEST } from './PrivacyButton';
import { trackNavigation } from './track';

const CATALOGUES = ['privacy'] as const;

/** The consent banner, with its messages, and Google's tag; not loaded without a measurement id. */
const Privacy = lazyWithMessages<PrivacyProps>(async () => {
  const [{ default: Content }] = await Promise.all([
    import(/* webpackChunkName: "privacy" */ './Privacy'),
    loadCatalogue('privacy', documentLanguage()),
  ]);
  return {
    default: (props) => (
      <MoreMessages of={CATALOGUES}>
        <Content {...props} />
      </MoreMessages>
    ),
  };
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
  const [isNeeded, setNeeded] = useState(false);
  const [request, setRequest] = useState<Event>();

  useEffect(() => {
    const listeners = new AbortController();
    // In the capture phase, before the router changes the address.
    document.addEventListener('click', trackNavigation, { capture: true, signal: listeners.signal });
    document.addEventListener(
      PRIVACY_REQUEST,
      (event) => {
        setNeeded(true);
        setRequest(event);
      },
      listeners,
    );
    return () => listeners.abort();
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
        <ErrorBoundary>
          <Suspense>
            <Privacy request={request} onClose={() => setRequest(undefined)} />
          </Suspense>
        </ErrorBoundary>
      )}
      {children}
    </>
  );
}
