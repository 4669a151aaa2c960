/** Print the problems of the catalogues in frontend/src/i18n/messages, and exit with 1 if there are any. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { problems } from './catalogue-problems.js';
import { messageIdsIn } from '../build/message-ids.js';

const SOURCES = 'frontend/src';
const ROUTES = 'frontend/routes.json';

/** @param {'en' | 'cs'} language @returns {Record<string, Record<string, string>>} the messages by group and id */
function readGroups(language) {
  const folder = join(SOURCES, 'i18n', 'messages', language);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(
    files.map((name) => [basename(name, '.json'), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
}

/** @param {string[]} groups @returns {string[]} the ids in the route table and in the sources without tests */
function readUsedIds(groups) {
  /** @typedef {{ titleKey: string, descriptionKey: string }} Head */
  /** @type {{ routes: Head[], notFound: Head }} */
  const { routes, notFound } = JSON.parse(readFileSync(ROUTES, 'utf8'));
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'));
  return [
    ...[...routes, notFound].flatMap(({ titleKey, descriptionKey }) => [titleKey, descriptionKey]),
    ...sources.flatMap((source) => messageIdsIn(source, groups)),
  ];
}

const catalogues = { en: readGroups('en'), cs: readGroups('cs') };
const found = problems(catalogues, readUsedIds(Object.keys(catalogues.en)));
for (const problem of found) console.error(problem);
if (found.length > 0) process.exitCode = 1;
