import { isMonth, type Month } from '../../calendar/month';
import { EVENT_TYPES, type EventType } from '../../events/event';

/** What the calendar shows. */
export interface View {
  month: Month;
  type: EventType | '';
}

/**
 * Reads a view from the query of an address; what is missing, or is no month or type, is as if nothing was chosen.
 *
 * @param present the month that shows when no other is asked for
 */
export function readView(params: URLSearchParams, present: Month): View {
  const month = params.get('month') ?? '';
  return {
    month: isMonth(month) ? month : present,
    type: EVENT_TYPES.find((type) => type === params.get('type')) ?? '',
  };
}

/** The query that `readView` reads a view from; the present month needs no word, so that the link lives on. */
export function writeView({ month, type }: View, present: Month): URLSearchParams {
  const params = new URLSearchParams();
  if (month !== present) params.set('month', month);
  if (type) params.set('type', type);
  return params;
}
