import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router-dom';

import { lazyWithMessages } from '../lib/lazy';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { NavigationProgress } from '../ui/NavigationProgress';
import { useLazyLoad } from '../ui/useLazyLoad';
import { useHydrated } from '../lib/useHydrated';
import { isLegalHash, type LegalName } from './LegalLink';

const LazyLegalDialog = lazyWithMessages<{ document: LegalName }>(
  () => import(/* webpackChunkName: "legal" */ './LegalDialog'),
  ['legal'],
);

/** Show the legal document that the fragment of the address names, `#privacy` or `#terms`, over any page. */
export function Legal() {
  const { hash, key } = useLocation();
  // No page is prerendered with a document.
  const isHydrated = useHydrated();
  const isOpen = isHydrated && isLegalHash(hash);
  const { isLoaded, isPending, load } = useLazyLoad(LazyLegalDialog);
  const open = useEffectEvent(() => void load('required'));

  useEffect(() => {
    if (isOpen) open();
  }, [isOpen, key]);

  if (!isOpen || !isLoaded) return <NavigationProgress isPending={isOpen && isPending} />;
  return (
    <ErrorBoundary resetKey={key}>
      <LazyLegalDialog document={hash === '#terms' ? 'terms' : 'privacy'} />
    </ErrorBoundary>
  );
}
