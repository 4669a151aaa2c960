import { useSyncExternalStore } from 'react';

/** A request to open the privacy settings. */
export interface PrivacyRequest {
  /** The pressed button, which gets the focus back. */
  opener: HTMLElement;
}

// Outside React: a context change above a dehydrated boundary makes React discard its HTML.
let request: PrivacyRequest | undefined;
const listeners = new Set<() => void>();

/** Open the privacy settings; undefined closes them. */
export function setPrivacyRequest(next: PrivacyRequest | undefined): void {
  request = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Return the open request. */
export function usePrivacyRequest(): PrivacyRequest | undefined {
  return useSyncExternalStore(
    subscribe,
    () => request,
    () => undefined,
  );
}
