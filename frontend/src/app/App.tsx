import { memo, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

import { Analytics } from '../consent/Analytics';
import { LanguageProvider, useT } from '../i18n/LanguageProvider';
import { Legal } from '../legal/Legal';
import { isChunkLoadError } from '../lib/loadChunk';
import { OpenPageContext } from '../lib/router/openPage';
import { ShownLocationContext } from '../lib/router/shownLocation';
import { useRouteFocus } from '../lib/router/useRouteFocus';
import { type SiteConfig, SiteConfigProvider } from '../lib/SiteConfig';
import { AuthProvider, MemberPageContext } from '../session/AuthProvider';
import { ToastProvider, useToast } from '../shell/ToastProvider';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { NavigationProgress } from '../ui/NavigationProgress';
import { DocumentHead } from './DocumentHead';
import { FailurePage } from './FailurePage';
import { getPage, getRoute } from './routes';

/** Render the site inside any router. */
export function App({ config }: { config: SiteConfig }) {
  return (
    <SiteConfigProvider config={config}>
      <LanguageProvider>
        <AuthProvider>
          <ToastProvider>
            <Site />
          </ToastProvider>
        </AuthProvider>
      </LanguageProvider>
    </SiteConfigProvider>
  );
}

function Site() {
  const { openPage, isOpening } = useOpenPage();
  const { shown, isPending } = useShownPage();
  return (
    <OpenPageContext value={openPage}>
      <NavigationProgress isPending={isOpening || isPending} />
      <ShownLocationContext value={shown.location}>
        <Analytics>
          <ErrorBoundary resetKey={shown.location.key} fallback={<FailurePage />}>
            <RoutePage {...shown} />
          </ErrorBoundary>
          <Legal />
        </Analytics>
      </ShownLocationContext>
    </OpenPageContext>
  );
}

/** Return how a link opens a page. The latest one wins; when its page cannot be reached, the present page stays. */
function useOpenPage() {
  const t = useT();
  const { alert } = useToast();
  const { key } = useLocation();
  const latest = useRef(0);
  const [opening, setOpening] = useState(0);

  // Back or Forward cancel it.
  useEffect(() => void (latest.current += 1), [key]);

  const openPage = useCallback(
    (to: string, navigate: () => void) => {
      const attempt = (latest.current += 1);
      const page = getPage(to.replace(/[?#].*/, ''));
      if (page.isLoaded()) {
        navigate();
        return;
      }
      setOpening(attempt);
      const settle = (callback: () => void) => {
        if (attempt === latest.current) callback();
        setOpening((current) => (current === attempt ? 0 : current));
      };
      page
        .preload('required', () => window.location.assign(to))
        .then(
          () => settle(navigate),
          // Any other failure is shown in place of the page.
          (error: unknown) =>
            settle(isChunkLoadError(error) ? () => alert(t('failure.unreachable')) : navigate),
        );
    },
    [alert, t],
  );
  return { openPage, isOpening: opening > 0 };
}

/**
 * Return the location to show: the present one, or the previous one while the page of the present one is loading, after Back
 * or a redirect.
 */
function useShownPage() {
  const present = { location: useLocation(), type: useNavigationType(), isFirst: false };
  const [shown, setShown] = useState({ ...present, isFirst: true });
  const page = getPage(present.location.pathname);
  const isPending = !page.isLoaded() && page !== getPage(shown.location.pathname);
  if (!isPending && shown.location !== present.location) setShown(present);

  const show = useEffectEvent(() => setShown(present));
  useEffect(() => {
    if (!isPending) return undefined;
    let isCurrent = true;
    // The error boundary shows a failure.
    const showCurrent = () => {
      if (isCurrent) show();
    };
    page.preload('required').then(showCurrent, showCurrent);
    return () => {
      isCurrent = false;
    };
  }, [page, isPending]);

  return { shown, isPending };
}

/**
 * Render the page of a location in its layout, with its head.
 *
 * Memoized, so that a pending navigation does not render the old page.
 */
const RoutePage = memo(function RoutePage({
  location,
  type,
  isFirst,
}: ReturnType<typeof useShownPage>['shown']) {
  const entry = getRoute(location.pathname);
  const { default: Page, Guard, Layout, menu, scene } = getPage(location.pathname).getModule();
  useRouteFocus(location, type, isFirst);
  // The browser tests wait for this mark.
  useEffect(() => void (document.documentElement.dataset.hydrated = ''), []);
  const page = <Page />;
  return (
    <>
      <DocumentHead entry={entry} pathname={location.pathname} />
      <MemberPageContext value={entry.access === 'member'}>
        <Layout menu={menu} scene={scene}>
          {Guard ? <Guard ownLoadState={entry.ownLoadState}>{page}</Guard> : page}
        </Layout>
      </MemberPageContext>
    </>
  );
});
