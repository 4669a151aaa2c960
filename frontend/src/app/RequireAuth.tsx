import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';

import { useGo } from '../lib/router/navigation';
import { useAuth } from '../session/AuthProvider';
import type { SignInLocationState } from '../session/destination';
import { PageLoadState } from '../ui/StateCard';

interface RequireAuthProps {
  /** Whether the page shows itself that its member is loading or cannot be reached (spec section 2, Profile). */
  ownLoadState?: boolean | undefined;
  children: ReactNode;
}

/**
 * Show a page to members only (spec section 4, Session).
 *
 * A signed-out visitor is sent to /signin, and from there back to this page. A prerendered page shows that the member is
 * loading.
 */
export function RequireAuth({ ownLoadState = false, children }: RequireAuthProps) {
  const { status, user, signedOutByUser } = useAuth();
  const { pathname, search, hash } = useLocation();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (status === 'signed-in' && !wasSignedIn) setWasSignedIn(true);

  if (status === 'signed-out') {
    // A member who signs out on this page is on the way to `/`.
    const isLeaving = wasSignedIn && signedOutByUser;
    return (
      <>
        {!isLeaving && <RedirectToSignIn from={`${pathname}${search}${hash}`} />}
        <MemberLoadState />
      </>
    );
  }
  return user || ownLoadState ? children : <MemberLoadState />;
}

/**
 * Replace the page, so that Back does not lead to it again.
 *
 * React Router's `<Navigate>` would add 0.2 KB to the first load of every page.
 */
function RedirectToSignIn({ from }: SignInLocationState) {
  const go = useGo('redirect');
  useEffect(() => {
    const state: SignInLocationState = { from };
    go('/signin', { replace: true, state });
  }, [go, from]);
  return null;
}

/** Show that the member is loading or cannot be reached. */
function MemberLoadState() {
  const { status, refresh } = useAuth();
  return (
    <PageLoadState
      title="memberWait.title"
      hasFailed={status === 'unreachable'}
      onRetry={refresh}
      messages={{ loading: 'memberWait.loading', failed: 'memberWait.failed', hint: 'memberWait.hint' }}
    />
  );
}
