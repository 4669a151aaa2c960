import { startTransition, useOptimistic } from 'react';
import { useSearchParams } from 'react-router-dom';

import type { Month } from '../../calendar/month';
import { readView, type View, writeView } from './address';

/**
 * What the calendar shows, kept in the address: it can be shared, and survives a reload. Turning pages is no journey,
 * so Back leaves the calendar.
 *
 * @param present the month that shows when the address asks for no other
 */
export function useView(present: Month): [view: View, show: (change: Partial<View>) => void] {
  const [params, setParams] = useSearchParams();
  // A press shows at once; the router takes its time with an address.
  const [view, showAtOnce] = useOptimistic(readView(params, present));
  function show(change: Partial<View>) {
    const next = { ...view, ...change };
    startTransition(() => {
      showAtOnce(next);
      setParams(writeView(next, present), { replace: true });
    });
  }
  return [view, show];
}
