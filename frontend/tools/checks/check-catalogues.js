/** Print the problems of the catalogues in frontend/src/i18n/messages, and exit with 1 if there are any. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { problems } from './catalogue-problems.js';

const SOURCES = 'frontend/src';

/** @param {string} path */
const read = (path) => readFileSync(path, 'utf8');

/** @param {'en' | 'cs'} language @returns {Record<string, string>[]} the messages of each file by id */
function readFiles(language) {
  const folder = join(SOURCES, 'i18n', 'messages', language);
  return readdirSync(folder).map((name) => {
    /** @type {Record<string, string>} */
    const messages = JSON.parse(read(join(folder, name)));
    return messages;
  });
}

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => read(join(SOURCES, name)));
// DocumentHead.tsx builds the ids of the title and the description of a page.
const routes = read('frontend/routes.json').replaceAll(/"head": "(.+)"/g, '"$1Title", "$1Description"');
const source = [routes, ...sources].join('\n');

const found = problems({ en: readFiles('en'), cs: readFiles('cs') }, source);
for (const problem of found) console.error(problem);
if (found.length > 0) process.exitCode = 1;
