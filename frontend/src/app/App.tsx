import { Suspense } from 'react';
import { useLocation } from 'react-router-dom';

import { LanguageProvider, type LoadedLanguage } from '../language/LanguageProvider';
import { type SiteConfig, SiteConfigProvider } from '../site/SiteConfig';
import { ErrorBoundary } from './ErrorBoundary';
import { RoutePage } from './RoutePage';
import { entryOf } from './routes';
import { useArrival } from './useArrival';

interface AppProps {
  config: SiteConfig;
  /** The language of the first render. */
  language: LoadedLanguage;
}

/** The whole product, inside whichever router the surroundings have. */
export function App({ config, language }: AppProps) {
  const { key, pathname } = useLocation();
  useArrival();

  return (
    <SiteConfigProvider config={config}>
      <LanguageProvider initial={language}>
        <ErrorBoundary place={key}>
          <Suspense>
            <RoutePage entry={entryOf(pathname)} />
          </Suspense>
        </ErrorBoundary>
      </LanguageProvider>
    </SiteConfigProvider>
  );
}
