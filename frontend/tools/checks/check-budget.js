/**
 * Print the size of what each page loads without interaction, and exit with 1 if it exceeds the budget: 105 KB of JavaScript
 * on a public page, 190 KB on an app page, both with 1 KB to spare, 15 KB of CSS, each file gzipped (1 KB = 1000 bytes), and two
 * preloaded fonts.
 *
 * frontend/e2e/analytics.spec.ts checks that pages load nothing else.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

const JS_TO_SPARE = 1;
const PUBLIC_JS_BUDGET = 105 - JS_TO_SPARE;
const APP_JS_BUDGET = 190 - JS_TO_SPARE;
const CSS_BUDGET = 15;
const FONT_BUDGET = 2;

/** @typedef {{ js: string[], css: string[] }} Assets */
/** @typedef {{ page: string, isPublic?: boolean, catalogues: string[], chunks?: string[] }} Entry */

/** @type {{ entrypoints: { deferHydration: Assets, main: Assets }, chunks: Record<string, Assets>, fonts: string[] }} */
const { entrypoints, chunks, fonts } = JSON.parse(readFileSync('frontend/build/manifest.json', 'utf8'));
/** @type {{ routes: Entry[], notFound: Entry }} */
const { routes, notFound } = JSON.parse(readFileSync('frontend/routes.json', 'utf8'));

/** @param {Assets[]} parts @param {'js' | 'css'} kind @returns {number} the size of their files in KB */
function measure(parts, kind) {
  const urls = new Set(parts.flatMap((part) => part[kind]));
  const bytes = [...urls].map(
    (url) => gzipSync(readFileSync(`frontend/build/app/${basename(url)}`), { level: 9 }).length,
  );
  return bytes.reduce((sum, size) => sum + size, 0) / 1000;
}

const loads = [...routes, notFound].flatMap((entry) =>
  ['en', 'cs'].map((language) => {
    // As sailing/web/pages/frontend.py links them.
    const messages = ['public', ...entry.catalogues].map((name) => `messages-${language}-${name}`);
    const names = [`page-${entry.page}`, ...messages, ...(entry.chunks ?? [])];
    const parts = names.map((name) => {
      const assets = chunks[name];
      if (!assets) throw new Error(`The build has no chunk ${name}`);
      return assets;
    });
    const all = [entrypoints.deferHydration, entrypoints.main, ...parts];
    const budget = entry.isPublic ? PUBLIC_JS_BUDGET : APP_JS_BUDGET;
    return { page: entry.page, language, js: measure(all, 'js'), budget, css: measure(all, 'css') };
  }),
);

console.table(
  loads.map(({ page, language, js, css, budget }) => ({
    page,
    language,
    'JS KB': js.toFixed(1),
    of: budget,
    'CSS KB': css.toFixed(1),
    'of ': CSS_BUDGET,
  })),
);
console.log(`Preloaded fonts: ${fonts.length} of ${FONT_BUDGET}`);
if (fonts.length > FONT_BUDGET || loads.some(({ js, css, budget }) => js > budget || css > CSS_BUDGET)) {
  console.error('The first load is over its budget.');
  process.exitCode = 1;
}
