import { PageView } from '../analytics/PageView';
import { LoadedPart } from '../later/LoadedPart';
import { AwaitMember } from './AwaitMember';
import { DocumentHead } from './DocumentHead';
import { pages } from './pages';
import { RequireMember } from './RequireMember';
import type { PageEntry } from './routes';
import { useArrival } from './useArrival';

interface RoutePageProps {
  entry: PageEntry;
  /** Whether nothing has changed since the document was loaded. */
  isFirst: boolean;
}

/** Pages with words of their own for a member who is on their way or out of reach (spec section 2, Profile). */
const AWAIT_THEMSELVES: readonly string[] = ['profile'];

/** One page with its head and its messages, shown to whom it is for; suspends until they are there. */
export function RoutePage({ entry, isFirst }: RoutePageProps) {
  useArrival(isFirst);
  const isMembers = entry.access === 'member';
  const content = (
    <LoadedPart
      part={pages[entry.page]}
      frame={isMembers && !AWAIT_THEMSELVES.includes(entry.page) ? AwaitMember : undefined}
    >
      <DocumentHead entry={entry} />
      <PageView />
    </LoadedPart>
  );
  return isMembers ? <RequireMember>{content}</RequireMember> : content;
}
