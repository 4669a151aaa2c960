import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';

import { trackClicks } from '../consent/track';
import { loadChunk } from '../lib/loadChunk';
import type { SiteConfig } from '../lib/SiteConfig';
import { watchForErrors } from '../lib/errorReporting/watch';
import { loadCatalogue, setLanguage } from '../i18n/catalogues';
import { type Language, removeLangParameter } from '../i18n/languages';
import { rememberAttribution } from '../lib/attribution';
import { manageScrollRestoration } from '../lib/router/useRouteFocus';
import { App } from './App';
import { getPage, getRoute } from './routes';

/** Report what an error boundary catches: errorReporting listens for uncaught errors only. */
const options = { onCaughtError: (error: unknown) => reportError(error) };

/** Start the app in the page that Django sent. */
export async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  const language = document.documentElement.dataset.language as Language;
  const config = JSON.parse(document.getElementById('site-config')?.textContent ?? '') as SiteConfig;
  watchForErrors(config.sentryDsn);
  rememberAttribution(window.location, document.referrer);
  removeLangParameter(language);
  await render(root, config, language);
}

/**
 * Hydrate the page, or render it where it is not prerendered (in development) or has been translated.
 *
 * The page's chunk and messages are loaded first, so that the first render is complete and matches the HTML.
 */
async function render(root: HTMLElement, config: SiteConfig, language: Language): Promise<void> {
  try {
    setLanguage(language);
    await Promise.all([
      loadChunk(() => loadCatalogue('public'), 'required'),
      getPage(window.location.pathname).preload('required'),
    ]);
    const app = (
      <StrictMode>
        <BrowserRouter>
          <App config={config} />
        </BrowserRouter>
      </StrictMode>
    );
    manageScrollRestoration();
    // A browser's translator changes `lang` and may wrap each text, which React would report as a mismatch.
    const isAsSent = document.documentElement.lang === language && !document.querySelector('#root font');
    // A transition is split into short tasks; one long task would block a phone.
    startTransition(() => {
      if (isAsSent && !root.dataset.failure) hydrateRoot(root, app, options);
      else createRoot(root, options).render(app);
    });
    // Before the click that is replayed now.
    trackClicks(getRoute(window.location.pathname).page);
    // From now on React replays clicks. deferHydration.ts replays the one before, outside React's own event handling.
    dispatchEvent(new Event('hydrated'));
  } catch (error) {
    // The messages may be missing, so the text comes from Django. A prerendered page stays readable.
    root.textContent ||= root.dataset.failure ?? '';
    void waitForNetwork().then(() => render(root, config, language));
    throw error;
  }
}

/** Resolve when the network is back, or the visitor uses the page, which may find it back. */
function waitForNetwork(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const type of ['online', 'click']) addEventListener(type, resolve, { once: true });
  });
}
