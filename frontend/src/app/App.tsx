import {
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'react-router-dom';

import { Analytics } from '../consent/Analytics';
import { LanguageProvider, useT } from '../i18n/LanguageProvider';
import { Legal } from '../legal/Legal';
import { isChunkLoadError } from '../lib/loadChunk';
import { NavigationContext } from '../lib/router/navigation';
import { useRouteFocus } from '../lib/router/useRouteFocus';
import { type SiteConfig, SiteConfigContext } from '../lib/SiteConfig';
import { AuthProvider, MemberPageContext } from '../session/AuthProvider';
import { ToastProvider, useToast } from '../ui/ToastProvider';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { NavigationProgress } from '../ui/NavigationProgress';
import { DocumentHead } from './DocumentHead';
import { FailurePage } from './FailurePage';
import { getPage, getRoute } from './routes';

/** Render the site inside any router. */
export function App({ config }: { config: SiteConfig }) {
  return (
    <SiteConfigContext value={config}>
      <LanguageProvider>
        <AuthProvider>
          <ToastProvider>
            <PageOpener>
              <Site />
            </PageOpener>
          </ToastProvider>
        </AuthProvider>
      </LanguageProvider>
    </SiteConfigContext>
  );
}

/**
 * Provide how a page is opened: its code is loaded first, while the present page says so. The latest opening wins.
 *
 * When the page of a link cannot be reached, the present page stays. Redirects, Back and Forward show the failure.
 */
function PageOpener({ children }: { children: ReactNode }) {
  const t = useT();
  const { alert } = useToast();
  const latest = useRef(0);
  const [isOpening, setOpening] = useState(false);

  const openPage = useCallback(
    async (to: string, navigate: () => void, reason: 'link' | 'redirect' | 'history') => {
      const attempt = (latest.current += 1);
      const page = getPage(to.replace(/[?#].*/, ''));
      let failure: unknown;
      if (!page.isLoaded()) {
        setOpening(true);
        const reload = reason === 'history' ? undefined : () => window.location.assign(to);
        failure = await page.preload('required', reload).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (attempt !== latest.current) return;
      }
      setOpening(false);
      if (reason === 'link' && isChunkLoadError(failure)) {
        alert(t('failure.unreachable'));
        readAddress(); // Back or Forward may have changed it meanwhile
      } else {
        navigate();
      }
    },
    [alert, t],
  );

  const followHistory = useEffectEvent((event: PopStateEvent) => {
    if (!event.isTrusted) return;
    event.stopImmediatePropagation();
    void openPage(window.location.pathname, readAddress, 'history');
  });
  // React Router, whose effect comes later, learns of Back and Forward when the code is there.
  useLayoutEffect(() => {
    const listener = (event: PopStateEvent) => followHistory(event);
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, []);

  return (
    <NavigationContext value={useMemo(() => ({ openPage, isOpening }), [openPage, isOpening])}>
      <NavigationProgress isPending={isOpening} />
      {children}
    </NavigationContext>
  );
}

/** Let React Router read the address, which Back or Forward have changed. */
function readAddress() {
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Render the page of the address in its layout, with what every page has. */
function Site() {
  const { key } = useLocation();
  useRouteFocus();
  return (
    <Analytics>
      <ErrorBoundary resetKey={key} fallback={<FailurePage />}>
        <RoutePage />
      </ErrorBoundary>
      <Legal />
    </Analytics>
  );
}

function RoutePage() {
  const { pathname } = useLocation();
  const entry = getRoute(pathname);
  const { default: Page, Guard, Layout, menu, scene } = getPage(pathname).useModule();
  // The browser tests wait for this mark.
  useEffect(() => void (document.documentElement.dataset.hydrated = ''), []);
  const page = <Page />;
  return (
    <>
      <DocumentHead entry={entry} pathname={pathname} />
      <MemberPageContext value={entry.access === 'member'}>
        <Layout menu={menu} scene={scene}>
          {Guard ? <Guard ownLoadState={entry.ownLoadState}>{page}</Guard> : page}
        </Layout>
      </MemberPageContext>
    </>
  );
}
