import { LoadedPart } from '../lazy/LoadedPart';
import { definePart } from '../lazy/part';
import { PageContent } from './PageContent';
import type { PageEntry } from './routes';
import { useArrival } from '../navigation/useRouteFocus';

/** What lets members in, and nobody else: a visitor's first load does without it. */
export const memberRoute = definePart(async () => {
  const module = await import(/* webpackChunkName: "part-member-route" */ './MemberRoute');
  return module.MemberRoute;
}, 'memberWait');

interface RoutePageProps {
  entry: PageEntry;
  /** Whether nothing has changed since the document was loaded. */
  isFirst: boolean;
}

/** The page of a route, shown to whom it is for; suspends until it is there. */
export function RoutePage({ entry, isFirst }: RoutePageProps) {
  useArrival(isFirst);
  return entry.access === 'member' ? <LoadedPart part={memberRoute} /> : <PageContent entry={entry} />;
}
