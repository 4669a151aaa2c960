import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router-dom';

import { lazyWithMessages } from '../loading/lazyWithMessages';
import { ErrorBoundary } from '../loading/ErrorBoundary';
import { useAuth } from '../session/AuthProvider';
import { useLazyLoad } from '../toast/useLazyLoad';
import type { MemberControlsProps } from './MemberControls';

/** The controls of a member with their messages, which visitors never load. */
export const LazyMemberControls = lazyWithMessages<MemberControlsProps>(
  () => import(/* webpackChunkName: "member-controls" */ './MemberControls'),
  ['app'],
);

interface AccountProps extends MemberControlsProps {
  /** What visitors see, and members until their controls are loaded. */
  children: ReactNode;
}

/** The controls of a signed-in member, or the links of a visitor. */
export function Account({ children, ...props }: AccountProps) {
  const { isAuthenticated, status } = useAuth();
  const { key } = useLocation();
  const { isLoaded, load } = useLazyLoad(LazyMemberControls);
  const preload = useEffectEvent(() => void load('optional'));

  // Load in parallel with the member, and try again on each page.
  useEffect(() => {
    if (status !== 'signed-out') preload();
  }, [status, key]);

  if (!isAuthenticated || !isLoaded) return children;
  return (
    <ErrorBoundary resetKey={key} fallback={children}>
      <LazyMemberControls {...props} />
    </ErrorBoundary>
  );
}
