import { useSearchParams } from 'react-router-dom';

import type { Month } from '../../calendar/month';
import { readView, type View, writeView } from './address';

/**
 * What the calendar shows, kept in the address: it can be shared, and survives a reload. Turning pages is no journey,
 * so Back leaves the calendar.
 */
export function useView(present: Month): [view: View, show: (change: Partial<View>) => void] {
  const [params, setParams] = useSearchParams();
  const view = readView(params, present);
  return [view, (change) => setParams(writeView({ ...view, ...change }, present), { replace: true })];
}
