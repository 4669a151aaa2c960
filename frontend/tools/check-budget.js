/**
 * Says what each page makes a browser load before anyone touches it, and exits with 1 when that is more
 * than the budget: 95 KB of JavaScript on a public page, 15 KB of CSS, gzipped (1 KB = 1000 bytes), two preloaded
 * fonts. A page for members or on the way there may load its forms and its data at once.
 *
 * What comes with the first sign of a visitor (frontend/src/later/signsOfLife.ts) does not count: the stretch below the
 * first screen, and on a site with a measurement id the banner. frontend/e2e/analytics.spec.ts sees that they wait.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

const PUBLIC_JS_BUDGET = 95;
const MEMBER_JS_BUDGET = 190;
const CSS_BUDGET = 15;
const FONT_BUDGET = 2;
const LANGUAGES = ['en', 'cs'];

/** @typedef {{ js: string[], css: string[] }} Assets */
/** @typedef {{ entrypoints: { main: Assets }, chunks: Record<string, Assets>, fonts: string[] }} Manifest */
/** @typedef {{ page: string, titleKey: string, prerendered?: boolean }} Entry */
/** @typedef {{ routes: Entry[], notFound: Entry }} RouteTable */

const manifest = /** @type {Manifest} */ (JSON.parse(await readFile('frontend/build/manifest.json', 'utf8')));
const table = /** @type {RouteTable} */ (JSON.parse(await readFile('frontend/routes.json', 'utf8')));

/** @param {string[]} addresses @returns {Promise<number>} their size in KB, each file gzipped on its own */
async function gzipped(addresses) {
  const sizes = [...new Set(addresses)].map(async (address) => {
    const content = await readFile(`frontend/build/app/${basename(address)}`);
    return gzipSync(content, { level: 9 }).length / 1000;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** @param {string} name @returns {Assets} */
function chunk(name) {
  const assets = manifest.chunks[name];
  if (!assets) throw new Error(`The build has no chunk ${name}`);
  return assets;
}

let tooMuch = manifest.fonts.length > FONT_BUDGET;
const rows = [];
for (const { page, titleKey, prerendered } of [...table.routes, { ...table.notFound, prerendered: true }]) {
  const budget = prerendered ? PUBLIC_JS_BUDGET : MEMBER_JS_BUDGET;
  for (const language of LANGUAGES) {
    const messages = [`messages-${language}`, `messages-${language}-${titleKey.split('.')[0]}-json`];
    const parts = [manifest.entrypoints.main, ...[`page-${page}`, ...messages].map(chunk)];
    const js = await gzipped(parts.flatMap((part) => part.js));
    // Django links the styles of what comes to life later: it stands in the page from the start.
    const later = manifest.chunks[`part-${page}`]?.css ?? [];
    const css = await gzipped([...parts.flatMap((part) => part.css), ...later]);
    tooMuch ||= js > budget || css > CSS_BUDGET;
    rows.push({
      page,
      language,
      'JS KB': js.toFixed(1),
      of: budget,
      'CSS KB': css.toFixed(1),
      'of ': CSS_BUDGET,
    });
  }
}

console.table(rows);
console.log(`Preloaded fonts: ${manifest.fonts.length} of ${FONT_BUDGET}`);
if (tooMuch) {
  console.error('The first load is over its budget.');
  process.exitCode = 1;
}
