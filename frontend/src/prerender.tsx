import { text } from 'node:stream/consumers';

import { StrictMode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';

import { App } from './app/App';
import { pages } from './app/pages';
import { getRoute, notFound, routes } from './app/routes';
import { loadCatalogue } from './i18n/catalogues';
import { type Language, LOCALES } from './i18n/languages';

/** Placeholders of server settings (see sailing/pages/views.py); blank where no page shows the setting. */
const CONFIG = { launchYear: '@LAUNCH_YEAR@', gaMeasurementId: '', sentryDsn: '', siteUrl: '', picture: '' };

export const languages = Object.keys(LOCALES) as Language[];

/** The pages to prerender; the not-found page stands for every unknown path. */
export const prerendered = [...routes, { ...notFound, path: '/404' }];

/** Return the HTML of `#root` that the first render in a browser gives for the same path, language and source. */
export async function render(path: string, language: Language, source?: string): Promise<string> {
  const { page, catalogue } = getRoute(path);
  const [messages] = await Promise.all([
    loadCatalogue('public', language),
    loadCatalogue(catalogue, language),
    pages[page].preload(),
  ]);
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <StaticRouter location={source ? `${path}?source=${source}` : path}>
        <App config={CONFIG} language={{ language, messages }} />
      </StaticRouter>
    </StrictMode>,
    // In one piece: React would need a script to move the parts of a streamed page into place.
    { progressiveChunkSize: Infinity },
  );
  return text(prelude);
}
