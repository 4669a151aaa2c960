import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useIntl } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { documentLanguage, loadCatalogue } from '../i18n/catalogues';
import { MoreMessages } from '../i18n/MoreMessages';
import { ErrorBoundary } from '../lazy/ErrorBoundary';
import { lazyWithMessages } from '../i18n/lazyWithMessages';
import { NavigationProgress } from '../navigation/NavigationProgress';
import { useToast } from '../toast/ToastProvider';
import { useHydrated } from '../ui/useHydrated';
import type { LegalDialogProps } from './LegalDialog';

const CATALOGUES = ['legal'] as const;

/** The dialog with its messages. */
const LazyLegalDialog = lazyWithMessages<LegalDialogProps>(async () => {
  const [{ default: LegalDialog }] = await Promise.all([
    import(/* webpackChunkName: "legal" */ './LegalDialog'),
    loadCatalogue('legal', documentLanguage()),
  ]);
  return {
    default: (props) => (
      <MoreMessages of={CATALOGUES}>
        <LegalDialog {...props} />
      </MoreMessages>
    ),
  };
}, 'optional');

/** Show the legal document that the fragment of the address names, `#privacy` or `#terms`, over any page. */
export function Legal() {
  const { hash, key } = useLocation();
  const { formatMessage } = useIntl();
  const { alert } = useToast();
  // No page is prerendered with a document.
  const isHydrated = useHydrated();
  const [loadedFor, setLoadedFor] = useState<string>();
  const isOpen = isHydrated && (hash === '#privacy' || hash === '#terms');
  const reportFailure = useEffectEvent(() => alert(formatMessage({ id: 'failure.unreachable' })));

  useEffect(() => {
    // Also tries again after a failure.
    if (isOpen) LazyLegalDialog.preload().then(() => setLoadedFor(key), reportFailure);
  }, [isOpen, key]);

  return (
    isOpen && (
      <ErrorBoundary resetKey={`${key} ${loadedFor}`}>
        <Suspense fallback={<NavigationProgress isPending />}>
          <LazyLegalDialog document={hash === '#terms' ? 'terms' : 'privacy'} />
        </Suspense>
      </ErrorBoundary>
    )
  );
}
