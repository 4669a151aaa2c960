import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** Return false while a prerendered page is rendered or hydrated, true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
