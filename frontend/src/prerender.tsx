import { text } from 'node:stream/consumers';

import { StrictMode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';

import { App } from './app/App';
import { pages } from './app/pages';
import { notFound, type PageEntry, routes } from './app/routes';
import { loadCatalogue } from './i18n/catalogues';
import { type Language, LOCALES } from './i18n/languages';

/** What a page rendered at build time reads where a setting of the server belongs (see sailing/pages/views.py), if it shows it. */
const CONFIG = { launchYear: '@LAUNCH_YEAR@', gaMeasurementId: '', sentryDsn: '', siteUrl: '', picture: '' };

/** A path that is no route, for the page that all such paths show. */
const NOWHERE = '/404';

export const languages = Object.keys(LOCALES) as Language[];

/** The pages to render at build time: what stands under each of these paths is the same for every visitor. */
export const prerendered: (PageEntry & { path: string })[] = [
  ...routes.filter((route) => route.prerendered),
  { ...notFound, path: NOWHERE },
];

/** The address of a page as the browser has it, without its host. */
const addressOf = (path: string, source?: string) => (source ? `${path}?source=${source}` : path);

/** The HTML that goes into `#root`: what the first render in a browser gives for the same path and language. */
export async function render(
  { path, ...entry }: PageEntry & { path: string },
  language: Language,
  source?: string,
): Promise<string> {
  const [messages] = await Promise.all([loadCatalogue(language), pages[entry.page].load(language)]);
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <StaticRouter location={addressOf(path, source)}>
        <App config={CONFIG} language={{ language, messages }} />
      </StaticRouter>
    </StrictMode>,
    // In one piece: what React moves to the end of a page, it puts in place by a script.
    { progressiveChunkSize: Infinity },
  );
  return text(prelude);
}
