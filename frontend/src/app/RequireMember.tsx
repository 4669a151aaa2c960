import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

import { useAuth } from '../session/AuthProvider';
import type { SignInLocationState } from '../session/destination';
import { MemberWait } from './MemberWait';

/**
 * Lets nobody in who is signed out: they go to /signin, and from there to the page that they asked for. Who has a token
 * is let in before it is known whose it is; to wait for that is the page's business (AwaitMember.tsx).
 */
export function RequireMember({ children }: { children: ReactNode }) {
  const { status, signedOutByUser } = useAuth();
  const { pathname, search, hash } = useLocation();
  const [wasIn, setWasIn] = useState(false);
  if (status === 'signed-in' && !wasIn) setWasIn(true);

  if (status !== 'signed-out') return children;
  // Who signs out on this page is on the way to `/`.
  if (wasIn && signedOutByUser) return <MemberWait />;
  return <ToSignIn from={`${pathname}${search}${hash}`} />;
}

/** Replaces the page, so that Back does not lead to it again. */
function ToSignIn({ from }: SignInLocationState) {
  const navigate = useNavigate();
  useEffect(() => {
    const state: SignInLocationState = { from };
    void navigate('/signin', { replace: true, state });
  }, [navigate, from]);
  return null;
}
