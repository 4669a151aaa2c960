import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';

import { loadChunk } from '../lazy/loadChunk';
import { loadCatalogue } from '../i18n/catalogues';
import { settleAddress } from '../i18n/languageCookie';
import { DEFAULT_LANGUAGE, isLanguage } from '../i18n/languages';
import { watchForErrors } from '../errorReporting/watch';
import { readSiteConfig } from '../config/SiteConfig';
import { App } from './App';
import { pages } from './pages';
import { entryOf } from './routes';
import { takeOverScrolling } from '../navigation/scrollPositions';

/**
 * Brings the page that Django answered with to life.
 *
 * The route's page and the language's messages are loaded first: the first render then is the whole
 * page at once, and fits a page that was rendered at build time.
 */
export async function start(page: Document): Promise<void> {
  const root = page.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  const code = page.documentElement.lang;
  const language = isLanguage(code) ? code : DEFAULT_LANGUAGE;
  const config = readSiteConfig(page);
  watchForErrors(config.sentryDsn);
  settleAddress(language);

  try {
    const load = () =>
      Promise.all([loadCatalogue(language), pages[entryOf(window.location.pathname).page].load(language)]);
    const [messages] = await loadChunk(load, 'required');
    const app = (
      <StrictMode>
        <BrowserRouter>
          <App config={config} language={{ language, messages }} />
        </BrowserRouter>
      </StrictMode>
    );
    takeOverScrolling();
    if (root.hasChildNodes()) {
      // In slices: React at work on a whole page at once would block a phone.
      startTransition(() => {
        hydrateRoot(root, app);
      });
      // From now on React keeps what is pressed; what was pressed before is in begin.ts. Not from inside of React: there
      // it could not bring to life at once what the press is for.
      dispatchEvent(new Event('alive'));
    } else createRoot(root).render(app);
  } catch (error) {
    // The messages may be what is missing. A page rendered at build time can be read without its script.
    root.textContent ||= root.dataset.failure ?? '';
    throw error;
  }
}
