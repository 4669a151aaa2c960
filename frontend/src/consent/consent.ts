import { useSyncExternalStore } from 'react';

export type Consent = 'granted' | 'denied';

const STORAGE_KEY = 'analytics-consent';

const listeners = new Set<() => void>();

/** The answer for this page, where the browser blocks storage. */
let inMemory: Consent | undefined;

/** Return the answer of the visitor; undefined before there is one. */
export function readConsent(): Consent | undefined {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'granted' || stored === 'denied' ? stored : inMemory;
  } catch {
    return inMemory;
  }
}

/** Store the answer for this visit and, where the browser allows it, for later ones. */
export function storeConsent(consent: Consent): void {
  inMemory = consent;
  try {
    localStorage.setItem(STORAGE_KEY, consent);
    inMemory = undefined;
  } catch {
    // Storage is blocked or full.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Another tab may store an answer.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Return the current answer of the visitor. */
export function useConsent(): Consent | undefined {
  return useSyncExternalStore(subscribe, readConsent, () => undefined);
}
