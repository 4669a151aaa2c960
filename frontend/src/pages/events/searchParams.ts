import { isMonth, type Month } from '../../calendar/month';
import { EVENT_TYPES, type EventType } from '../../features/events/event';

/** What the calendar shows; an empty month is the current one, an empty type every type. */
interface CalendarView {
  month: Month;
  type: EventType | '';
}

/** Read the view from the query string; ignore invalid values. */
export function readView(params: URLSearchParams): CalendarView {
  const month = params.get('month') ?? '';
  return {
    month: isMonth(month) ? month : '',
    type: EVENT_TYPES.find((type) => type === params.get('type')) ?? '',
  };
}

export function writeView({ month, type }: CalendarView): URLSearchParams {
  return new URLSearchParams({ ...(month && { month }), ...(type && { type }) });
}
