import type { ReactNode } from 'react';

import { useAuth } from '../session/AuthProvider';
import { MemberWait } from './MemberWait';

/** Shows what needs the member once they are there; says meanwhile that they are on their way, or out of reach. */
export function AwaitMember({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  return user ? children : <MemberWait />;
}
