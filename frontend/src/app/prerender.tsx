import { text } from 'node:stream/consumers';

import { StrictMode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';

import { App } from './App';
import { getPage, notFound, routes } from './routes';
import { loadLanguage, setLanguage } from '../i18n/catalogues';
import { type Language, LOCALES } from '../i18n/languages';

/** Placeholders of server settings (see sailing/web/pages/views.py); blank where no prerendered page shows the setting. */
const CONFIG = {
  launchYear: '@LAUNCH_YEAR@',
  isLaunchYearPast: false,
  gaMeasurementId: '',
  sentryDsn: '',
  operator: { name: '@OPERATOR_NAME@', address: '@OPERATOR_ADDRESS@', email: '@CONTACT_EMAIL@' },
};

export const languages = Object.keys(LOCALES) as Language[];

/**
 * The pages to prerender, each with the name of its file and its location. The not-found page stands for every unknown
 * path; it differs with the paths that it helps with, and other pages with their `?source=`.
 */
export const prerendered = [...routes, { ...notFound, path: '/404' }].flatMap((entry) => [
  { name: entry.page, location: entry.path },
  ...(entry.sources ?? []).map((source) => ({
    name: `${entry.page}.${source}`,
    location: `${entry.path}?source=${source}`,
  })),
  ...(entry.helpPaths ?? []).map((path) => ({ name: `${entry.page}.${path.slice(1)}`, location: path })),
]);

/** Return the HTML of `#root` that the first render in a browser gives for the same location and language. */
export async function render(location: string, language: Language): Promise<string> {
  await getPage(location.replace(/\?.*/, '')).preload('required');
  await loadLanguage(language);
  setLanguage(language);
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <StaticRouter location={location}>
        <App config={CONFIG} />
      </StaticRouter>
    </StrictMode>,
    // In one piece: React would need a script to move the parts of a streamed page into place.
    { progressiveChunkSize: Infinity },
  );
  return text(prelude);
}
