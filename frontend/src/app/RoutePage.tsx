import { PageView } from '../analytics/PageView';
import { LoadedPart } from '../later/LoadedPart';
import { AwaitMember } from './AwaitMember';
import { DocumentHead } from './DocumentHead';
import { pages } from './pages';
import { RequireMember } from './RequireMember';
import type { PageEntry } from './routes';

/** Pages with words of their own for a member who is on their way or out of reach (spec section 2, Profile). */
const AWAIT_THEMSELVES: readonly string[] = ['profile'];

/** One page with its head and its messages, shown to whom it is for; suspends until they are there. */
export function RoutePage({ entry: { page, titleKey, descriptionKey, access } }: { entry: PageEntry }) {
  const isMembers = access === 'member';
  const content = (
    <LoadedPart
      part={pages[page]}
      frame={isMembers && !AWAIT_THEMSELVES.includes(page) ? AwaitMember : undefined}
    >
      <DocumentHead titleKey={titleKey} descriptionKey={descriptionKey} />
      <PageView />
    </LoadedPart>
  );
  return isMembers ? <RequireMember>{content}</RequireMember> : content;
}
