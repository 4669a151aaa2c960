/** Print the problems of frontend/messages, and exit with 1 if there are any. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import cs from '../../messages/cs.json' with { type: 'json' };
import en from '../../messages/en.json' with { type: 'json' };
import { problems } from './catalogue-problems.js';

const SOURCES = 'frontend/src';

/** @param {string} path */
const read = (path) => readFileSync(path, 'utf8');

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => read(join(SOURCES, name)));
// DocumentHead.tsx builds the ids of the title and the description of a page.
const routes = read('frontend/routes.json').replaceAll(/"head": "(.+)"/g, '"$1Title", "$1Description"');
const source = [routes, ...sources].join('\n');

const found = problems({ en, cs }, source);
for (const problem of found) console.error(problem);
if (found.length > 0) process.exitCode = 1;
