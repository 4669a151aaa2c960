import { useSyncExternalStore } from 'react';

import { type Day, toDay } from './day';

/** Return the visitor's local day; re-render at midnight. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, readToday, readToday);
}

function readToday(): Day {
  return toDay(new Date());
}

function subscribe(onChange: () => void): () => void {
  let midnight: ReturnType<typeof setTimeout>;
  const scheduleMidnight = () => {
    const now = new Date();
    const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    midnight = setTimeout(onMidnight, next.getTime() - now.getTime());
  };
  const onMidnight = () => {
    onChange();
    scheduleMidnight();
  };
  scheduleMidnight();
  // Timers stop while a device sleeps.
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearTimeout(midnight);
    document.removeEventListener('visibilitychange', onChange);
  };
}
