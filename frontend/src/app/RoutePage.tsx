import { PageView } from '../analytics/PageView';
import { LoadedPart } from '../later/LoadedPart';
import { DocumentHead } from './DocumentHead';
import { pages } from './pages';
import type { PageEntry } from './routes';
import { useArrival } from './useArrival';

interface RoutePageProps {
  entry: PageEntry;
  /** Whether nothing has changed since the document was loaded. */
  isFirst: boolean;
}

/** One page with its head and its messages; suspends until they are there. */
export function RoutePage({ entry, isFirst }: RoutePageProps) {
  useArrival(isFirst);
  return (
    <LoadedPart part={pages[entry.page]}>
      <DocumentHead entry={entry} />
      <PageView />
    </LoadedPart>
  );
}
