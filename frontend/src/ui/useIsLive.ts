import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the script runs: false in a page that was rendered at build time, until it has come to life. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
