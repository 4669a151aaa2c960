import { render, type RenderOptions } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useEffect } from 'react';
import { type InitialEntry, MemoryRouter, useLocation } from 'react-router-dom';

import { setLanguage } from '../i18n/catalogues';
import { LanguageProvider } from '../i18n/LanguageProvider';
import type { Language } from '../i18n/languages';
import { AuthProvider } from '../session/AuthProvider';
import type { Session } from '../session/sessionStore';
import { type SiteConfig, SiteConfigContext } from '../lib/SiteConfig';
import { ToastProvider } from '../ui/ToastProvider';
import { markDocument } from '../session/token';
import './catalogues';
import { createFixedSource } from './session';

export const SITE: SiteConfig = {
  launchYear: '2025',
  isLaunchYearPast: true,
  gaMeasurementId: '',
  sentryDsn: '',
  operator: { name: 'Sailing & Co.', address: 'Nábřežní 7, Praha 2', email: 'ahoy@sailing.example' },
};

interface SiteOptions extends Pick<RenderOptions, 'onCaughtError'> {
  /** The history, the current entry last. */
  history?: InitialEntry[];
  language?: Language;
  /** A fixed session; a real one when left out. */
  session?: Session;
  /** Changes to the settings of the site. */
  config?: Partial<SiteConfig>;
}

/**
 * Render within all providers of the app.
 *
 * @returns the result of `render`, a `user` of user-event, and `path()` with the current path
 */
export function renderInSite(
  ui: ReactNode,
  { history = ['/'], language = 'en', session, config, ...options }: SiteOptions = {},
) {
  let path = '';
  const setPath = (pathname: string) => {
    path = pathname;
  };
  const user = userEvent.setup();
  setLanguage(language);
  if (session) markDocument(session.status === 'signed-out' ? null : 'a token');
  const view = render(ui, {
    ...options,
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={history} initialIndex={history.length - 1}>
        <SiteConfigContext value={{ ...SITE, ...config }}>
          <LanguageProvider>
            <AuthProvider source={session && createFixedSource(session)}>
              <ToastProvider>{children}</ToastProvider>
            </AuthProvider>
          </LanguageProvider>
        </SiteConfigContext>
        <PathObserver onChange={setPath} />
      </MemoryRouter>
    ),
  });
  return { ...view, user, path: () => path };
}

function PathObserver({ onChange }: { onChange: (pathname: string) => void }) {
  const { pathname } = useLocation();
  useEffect(() => onChange(pathname), [onChange, pathname]);
  return null;
}
