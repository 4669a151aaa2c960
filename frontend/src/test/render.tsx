import { render, type RenderOptions } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useEffect } from 'react';
import { type InitialEntry, MemoryRouter, useLocation } from 'react-router-dom';

import { LanguageProvider } from '../i18n/LanguageProvider';
import type { Language } from '../i18n/languages';
import { AuthProvider, type Session } from '../session/AuthProvider';
import { type SiteConfig, SiteConfigProvider } from '../config/SiteConfig';
import { ToastProvider } from '../toast/ToastProvider';
import { catalogues } from './catalogues';
import { fixedSource } from './session';

export const SITE: SiteConfig = {
  launchYear: '2025',
  gaMeasurementId: '',
  sentryDsn: '',
  siteUrl: 'https://sailing.example',
  picture: 'https://sailing.example/static/media/og.jpg',
};

interface Surroundings extends Pick<RenderOptions, 'onCaughtError'> {
  /** The places that the visitor went to, the present one last. */
  history?: InitialEntry[];
  language?: Language;
  /** Who is signed in, for the whole test; the browser's own session when left out. */
  session?: Session;
}

/**
 * Renders a part of the interface in the surroundings that the product gives it: router, language, settings, session, toasts.
 *
 * @returns besides what `render` returns, `user`, who acts, and `path()`, where the visitor is now
 * @throws {Error} when a message is missing or cannot be formatted
 */
export function renderInSite(
  ui: ReactNode,
  { history = ['/'], language = 'en', session, ...options }: Surroundings = {},
) {
  let path = '';
  const arrive = (pathname: string) => {
    path = pathname;
  };
  const user = userEvent.setup();
  const view = render(ui, {
    ...options,
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={history} initialIndex={history.length - 1}>
        <SiteConfigProvider config={SITE}>
          <LanguageProvider initial={{ language, messages: catalogues[language] }} onError={refuse}>
            <AuthProvider source={session && fixedSource(session)}>
              <ToastProvider>{children}</ToastProvider>
            </AuthProvider>
          </LanguageProvider>
        </SiteConfigProvider>
        <Whereabouts onArrival={arrive} />
      </MemoryRouter>
    ),
  });
  return { ...view, user, path: () => path };
}

function refuse(error: Error): never {
  throw error;
}

function Whereabouts({ onArrival }: { onArrival: (pathname: string) => void }) {
  const { pathname } = useLocation();
  useEffect(() => onArrival(pathname), [onArrival, pathname]);
  return null;
}
