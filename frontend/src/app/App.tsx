import { memo, useEffect } from 'react';
import { useIntl } from 'react-intl';
import { useLocation, useNavigate } from 'react-router-dom';

import { Analytics } from '../consent/Analytics';
import { type SiteConfig, SiteConfigProvider } from '../lib/SiteConfig';
import { LanguageProvider, type LoadedLanguage } from '../i18n/LanguageProvider';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { WithMessages } from '../lib/lazyWithMessages';
import { Legal } from '../legal/Legal';
import { NavigationProgress } from '../ui/NavigationProgress';
import { ShownLocation, useShownLocation } from '../lib/router/shownLocation';
import { useRouteFocus } from '../lib/router/useRouteFocus';
import { AuthProvider, MemberPageContext } from '../session/AuthProvider';
import { ToastProvider, useToast } from '../shell/ToastProvider';
import { DocumentHead } from './DocumentHead';
import { FailurePage } from './FailurePage';
import { getRoute, pages } from './routes';

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
  return (
    <SiteConfigProvider config={config}>
      <LanguageProvider initial={language}>
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
  const { formatMessage } = useIntl();
  const { alert } = useToast();
  const navigate = useNavigate();
  const { value, isPending, isFirst } = useShownLocation(findPage, (followedLinks) => {
    void navigate(-followedLinks);
    alert(formatMessage({ id: 'failure.unreachable' }));
  });
  return (
    <ShownLocation value={value}>
      <NavigationProgress isPending={isPending} />
      <Analytics>
        <ErrorBoundary resetKey={value.location.key} fallback={<FailurePage />}>
          <RoutePage isFirst={isFirst} />
        </ErrorBoundary>
        <Legal />
      </Analytics>
    </ShownLocation>
  );
}

/**
 * Render the page of the location in its layout, with its head.
 *
 * Memoized, so that a pending navigation does not render the old page.
 */
const RoutePage = memo(function RoutePage({ isFirst }: { isFirst: boolean }) {
  const entry = getRoute(useLocation().pathname);
  const { default: Page, Guard, Layout, menu, scene } = pages[entry.page].useModule();
  useRouteFocus(isFirst);
  // forms/useTypedValues.ts keeps what is typed before this mark. The browser tests wait for it.
  useEffect(() => void (document.documentElement.dataset.hydrated = ''), []);
  const page = <Page />;
  return (
    <WithMessages catalogues={entry.catalogues}>
      <DocumentHead entry={entry} />
      <MemberPageContext value={entry.access === 'member'}>
        <Layout menu={menu} scene={scene}>
          {Guard ? <Guard ownLoadState={entry.ownLoadState}>{page}</Guard> : page}
        </Layout>
      </MemberPageContext>
    </WithMessages>
  );
});
