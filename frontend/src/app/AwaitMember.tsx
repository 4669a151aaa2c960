import type { ReactNode } from 'react';

import { LoadedPart } from '../later/LoadedPart';
import { useAuth } from '../session/AuthProvider';
import { memberWait } from './memberWait';

/** Shows what needs the member once they are there; says meanwhile that they are on their way, or out of reach. */
export function AwaitMember({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  return user ? children : <LoadedPart part={memberWait} />;
}
