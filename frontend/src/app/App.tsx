import { memo, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router-dom';

import { Analytics } from '../analytics/Analytics';
import { type SiteConfig, SiteConfigProvider } from '../config/SiteConfig';
import { LanguageProvider, type LoadedLanguage } from '../i18n/LanguageProvider';
import { ErrorBoundary } from '../lazy/ErrorBoundary';
import { Legal } from '../legal/Legal';
import { NavigationFailure } from '../navigation/NavigationFailure';
import { NavigationProgress } from '../navigation/NavigationProgress';
import { ShownLocation, useShownLocation } from '../navigation/shownLocation';
import { useRouteFocus } from '../navigation/useRouteFocus';
import { AuthProvider } from '../session/AuthProvider';
import { ToastProvider } from '../toast/ToastProvider';
import { DocumentHead } from './DocumentHead';
import { FailurePage } from './FailurePage';
import { pages } from './pages';
import { getRoute } from './routes';

interface AppProps {
  config: SiteConfig;
  /** The language of the first render. */
  language: LoadedLanguage;
}

function findPage(pathname: string) {
  const { page, sources } = getRoute(pathname);
  return { page: pages[page], sources };
}

/** Render the site inside any router. */
export function App({ config, language }: AppProps) {
  const { value, isPending, hasFailed, isFirst } = useShownLocation(findPage);
  return (
    <SiteConfigProvider config={config}>
      <LanguageProvider initial={language}>
        <AuthProvider>
          <ToastProvider>
            <NavigationProgress isPending={isPending} />
            <NavigationFailure hasFailed={hasFailed} />
            <ShownLocation value={value}>
              <Analytics>
                <ErrorBoundary
                  resetKey={value.location.key}
                  fallback={<FailurePage />}
                  // As uncaught, because errorReporting listens for those.
                  onError={(error) => reportError(error)}
                >
                  <Suspense>
                    <RoutePage isFirst={isFirst} />
                  </Suspense>
                </ErrorBoundary>
                <Legal />
              </Analytics>
            </ShownLocation>
          </ToastProvider>
        </AuthProvider>
      </LanguageProvider>
    </SiteConfigProvider>
  );
}

/** Render the page of the location with its head. Memoized, so that a pending navigation does not render the old page. */
const RoutePage = memo(function RoutePage({ isFirst }: { isFirst: boolean }) {
  const entry = getRoute(useLocation().pathname);
  const Page = pages[entry.page];
  useRouteFocus(isFirst);
  // The browser tests wait for this mark before they use the page.
  useEffect(() => void (document.documentElement.dataset.hydrated = ''), []);
  return (
    <Page>
      <DocumentHead entry={entry} />
    </Page>
  );
});
