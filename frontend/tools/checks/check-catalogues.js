/** Print the problems of the catalogues in frontend/src/i18n/messages, and exit with 1 if there are any. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { problems } from './catalogue-problems.js';

const SOURCES = 'frontend/src';

/** @param {string} path */
const read = (path) => readFileSync(path, 'utf8');

/** @param {'en' | 'cs'} language @returns {Record<string, Record<string, string>>} the messages by file and id */
function readGroups(language) {
  const folder = join(SOURCES, 'i18n', 'messages', language);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(
    files.map((name) => [basename(name, '.json'), JSON.parse(read(join(folder, name)))]),
  );
}

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => read(join(SOURCES, name)));
// DocumentHead.tsx builds the ids of the title and the description of a page.
const routes = read('frontend/routes.json').replaceAll(/"head": "(.+)"/g, '"$1Title", "$1Description"');
const source = [routes, ...sources].join('\n');

const found = problems({ en: readGroups('en'), cs: readGroups('cs') }, source);
for (const problem of found) console.error(problem);
if (found.length > 0) process.exitCode = 1;
