import { useSyncExternalStore } from 'react';

/** A visitor's wish to see the privacy settings. */
export interface PrivacyRequest {
  /** What was pressed, which gets the focus back. */
  opener: HTMLElement;
}

// Kept beside React: a context that changes above a part which has not been loaded makes React drop what stands there.
let request: PrivacyRequest | undefined;
const listeners = new Set<() => void>();

/** Asks for the privacy settings; with undefined, the wish is fulfilled. */
export function setPrivacyRequest(next: PrivacyRequest | undefined): void {
  request = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The wish that is open, if there is one. */
export function usePrivacyRequest(): PrivacyRequest | undefined {
  return useSyncExternalStore(
    subscribe,
    () => request,
    () => undefined,
  );
}
