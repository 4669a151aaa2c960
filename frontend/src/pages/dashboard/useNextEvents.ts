import { useToday } from '../../calendar/useToday';
import type { SailingEvent } from '../../events/event';
import { upcomingFrom } from '../../events/schedule';
import { useEvents } from '../../events/useEvents';

/** How many events there is room for beside the feed. */
const NEXT_EVENTS = 3;

/** The next events of the calendar, the soonest first. */
export function useNextEvents(): readonly SailingEvent[] {
  const events = useEvents();
  return upcomingFrom(useToday(), events).slice(0, NEXT_EVENTS);
}
