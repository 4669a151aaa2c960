import { Suspense, useCallback, useState } from 'react';
import { useLocation } from 'react-router-dom';

import { Analytics } from '../analytics/Analytics';
import type { Language } from '../i18n/languages';
import { LanguageProvider, type LoadedLanguage } from '../i18n/LanguageProvider';
import { prepareParts } from '../lazy/onPage';
import { AuthProvider } from '../session/AuthProvider';
import { type SiteConfig, SiteConfigProvider } from '../config/SiteConfig';
import { ToastProvider } from '../toast/ToastProvider';
import { ErrorBoundary } from './ErrorBoundary';
import { RoutePage } from './RoutePage';
import { pages } from './pages';
import { entryOf } from './routes';
import { useReadyOnPop } from '../navigation/useReadyOnPop';

interface AppProps {
  config: SiteConfig;
  /** The language of the first render. */
  language: LoadedLanguage;
}

/** The whole product, inside whichever router the surroundings have. */
export function App({ config, language }: AppProps) {
  const location = useLocation();
  const [first] = useState(location);
  const entry = entryOf(location.pathname);
  const prepare = useCallback(
    (from: Language, to: Language) => Promise.all([pages[entry.page].load(to), prepareParts([from, to])]),
    [entry],
  );
  useReadyOnPop(entry);

  return (
    <SiteConfigProvider config={config}>
      <LanguageProvider initial={language} prepare={prepare}>
        <AuthProvider>
          <ToastProvider>
            <Analytics>
              <ErrorBoundary place={location.key}>
                <Suspense>
                  <RoutePage entry={entry} isFirst={location === first} />
                </Suspense>
              </ErrorBoundary>
            </Analytics>
          </ToastProvider>
        </AuthProvider>
      </LanguageProvider>
    </SiteConfigProvider>
  );
}
