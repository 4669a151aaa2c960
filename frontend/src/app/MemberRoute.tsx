import { useLocation } from 'react-router-dom';

import { AwaitMember } from './AwaitMember';
import { PageContent } from './PageContent';
import { RequireMember } from './RequireMember';
import { entryOf } from './routes';

/** Pages with words of their own for a member who is on their way or out of reach (spec section 2, Profile). */
const AWAIT_THEMSELVES: readonly string[] = ['profile'];

/** The page of the address, shown to members only. */
export function MemberRoute() {
  const entry = entryOf(useLocation().pathname);
  return (
    <RequireMember>
      <PageContent entry={entry} frame={AWAIT_THEMSELVES.includes(entry.page) ? undefined : AwaitMember} />
    </RequireMember>
  );
}
