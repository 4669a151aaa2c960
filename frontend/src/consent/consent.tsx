import { useSyncExternalStore } from 'react';
import { FormattedMessage } from 'react-intl';

import { createStoredText } from '../lib/storedText';

export type Consent = 'granted' | 'denied';

const CONSENT_CHANGE = 'consent';

const stored = createStoredText('analytics-consent');

/** Return the answer of the visitor; undefined before there is one. */
export function readConsent(): Consent | undefined {
  const answer = stored.read();
  return answer === 'granted' || answer === 'denied' ? answer : undefined;
}

/** Store the answer for this visit and, where the browser allows it, for later ones. */
export function storeConsent(consent: Consent): void {
  stored.write(consent);
  window.dispatchEvent(new Event(CONSENT_CHANGE)); // the browser tells the other tabs only
}

/** Follow the other tabs too. A page in the back/forward cache may miss what they store. */
function subscribe(listener: () => void) {
  const listening = new AbortController();
  for (const type of [CONSENT_CHANGE, 'storage', 'pageshow'])
    window.addEventListener(type, listener, listening);
  return () => listening.abort();
}

/** Return the current answer of the visitor. */
export function useConsent(): Consent | undefined {
  return useSyncExternalStore(subscribe, readConsent, () => undefined);
}

/** The event that asks Analytics for the privacy settings. Its target gets the focus back when they close. */
export const PRIVACY_REQUEST = 'privacyrequest';

/** Ask for the privacy settings, where a consent can be withdrawn (GDPR, article 7.3). */
export function requestPrivacySettings(opener: Element): void {
  opener.dispatchEvent(new Event(PRIVACY_REQUEST, { bubbles: true }));
}

/** Open the privacy settings. Always prerendered, to avoid a layout shift; hidden on a site without a measurement id. */
export function PrivacyButton() {
  return (
    <button
      type="button"
      className="for-measured"
      onClick={({ currentTarget }) => requestPrivacySettings(currentTarget)}
    >
      <FormattedMessage id="footer.privacySettings" />
    </button>
  );
}
