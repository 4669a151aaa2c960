import { Suspense } from 'react';
import { useLocation } from 'react-router-dom';

import { LanguageProvider, type LoadedLanguage } from '../language/LanguageProvider';
import { type SiteConfig, SiteConfigProvider } from '../site/SiteConfig';
import { AppRoutes } from './AppRoutes';
import { ErrorBoundary } from './ErrorBoundary';
import { useArrival } from './useArrival';

interface AppProps {
  config: SiteConfig;
  /** The language of the first render. */
  language: LoadedLanguage;
}

/** The whole product, inside whichever router the surroundings have. */
export function App({ config, language }: AppProps) {
  const { key } = useLocation();
  useArrival();

  return (
    <SiteConfigProvider config={config}>
      <LanguageProvider initial={language}>
        <ErrorBoundary place={key}>
          <Suspense>
            <AppRoutes />
          </Suspense>
        </ErrorBoundary>
      </LanguageProvider>
    </SiteConfigProvider>
  );
}
