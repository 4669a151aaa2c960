import { type ReactNode, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router-dom';

import { documentLanguage, loadCatalogue } from '../i18n/catalogues';
import { MoreMessages } from '../i18n/MoreMessages';
import { ErrorBoundary } from '../lazy/ErrorBoundary';
import { lazyWithMessages } from '../i18n/lazyWithMessages';
import { useAuth } from '../session/AuthProvider';
import type { MemberControlsProps } from './MemberControls';

/** The controls of a member with their messages, which visitors never load. */
const CATALOGUES = ['app'] as const;

export const LazyMemberControls = lazyWithMessages<MemberControlsProps>(async () => {
  const [{ MemberControls }] = await Promise.all([
    import(/* webpackChunkName: "member-controls" */ './MemberControls'),
    loadCatalogue('app', documentLanguage()),
  ]);
  return {
    default: (props) => (
      <MoreMessages of={CATALOGUES}>
        <MemberControls {...props} />
      </MoreMessages>
    ),
  };
}, 'optional');

interface AccountProps extends MemberControlsProps {
  /** What visitors see, and members until their controls are loaded. */
  children: ReactNode;
}

/** The controls of a signed-in member, or the links of a visitor. */
export function Account({ children, ...props }: AccountProps) {
  const { isAuthenticated, status } = useAuth();
  const { key } = useLocation();

  // Load in parallel with the member, and try again on each page.
  useEffect(() => {
    if (status !== 'signed-out') LazyMemberControls.preload().catch(() => undefined);
  }, [status, key]);

  if (!isAuthenticated) return children;
  return (
    <ErrorBoundary resetKey={key} fallback={children}>
      <Suspense fallback={children}>
        <LazyMemberControls {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
