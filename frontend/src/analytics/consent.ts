import { useSyncExternalStore } from 'react';

export type Consent = 'granted' | 'denied';

const STORAGE_KEY = 'analytics-consent';

const listeners = new Set<() => void>();

/** The answer of a visitor whose browser keeps none: it counts as long as the page is open. */
let unkept: Consent | undefined;

/** What the visitor has answered; undefined before that. */
export function readConsent(): Consent | undefined {
  try {
    const kept = localStorage.getItem(STORAGE_KEY);
    return kept === 'granted' || kept === 'denied' ? kept : unkept;
  } catch {
    return unkept;
  }
}

/** Keeps the visitor's answer for this visit and, if the browser lets us, for later ones. */
export function keepConsent(consent: Consent): void {
  unkept = consent;
  try {
    localStorage.setItem(STORAGE_KEY, consent);
    unkept = undefined;
  } catch {
    // Storage is closed to this page, or full.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Another tab's answer counts here too.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The visitor's answer, as it is now. */
export function useConsent(): Consent | undefined {
  return useSyncExternalStore(subscribe, readConsent, () => undefined);
}
