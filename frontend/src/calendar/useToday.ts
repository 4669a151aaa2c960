import { useSyncExternalStore } from 'react';

import { type Day, dayOf } from './day';

/** The day that it is where the visitor is; another one from midnight on. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, readToday, readToday);
}

function readToday(): Day {
  return dayOf(new Date());
}

function subscribe(onChange: () => void): () => void {
  let midnight: ReturnType<typeof setTimeout>;
  const awaitMidnight = () => {
    const now = new Date();
    const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    midnight = setTimeout(strike, next.getTime() - now.getTime());
  };
  const strike = () => {
    onChange();
    awaitMidnight();
  };
  awaitMidnight();
  // While a device sleeps no timer runs.
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearTimeout(midnight);
    document.removeEventListener('visibilitychange', onChange);
  };
}
