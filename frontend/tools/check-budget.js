/**
 * Says what each page that a visitor may come to first makes a browser load before anyone touches it, and exits with 1
 * when that is more than the budget: 95 KB of JavaScript and 15 KB of CSS, gzipped (1 KB = 1000 bytes), two preloaded
 * fonts. The pages of members, and those on the way to them, come with what their forms and calls need.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

const JS_BUDGET = 95;
const CSS_BUDGET = 15;
const FONT_BUDGET = 2;
const LANGUAGES = ['en', 'cs'];

/** @typedef {{ js: string[], css: string[] }} Assets */
/** @typedef {{ entrypoints: { main: Assets }, chunks: Record<string, Assets>, fonts: string[] }} Manifest */
/** @typedef {{ page: string, titleKey: string }} Entry */
/** @typedef {{ routes: (Entry & { prerendered: boolean })[], notFound: Entry }} RouteTable */

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
for (const { page, titleKey } of [...table.routes.filter((route) => route.prerendered), table.notFound]) {
  for (const language of LANGUAGES) {
    const messages = [`messages-${language}`, `messages-${language}-${titleKey.split('.')[0]}-json`];
    const parts = [manifest.entrypoints.main, ...[`page-${page}`, ...messages].map(chunk)];
    const js = await gzipped(parts.flatMap((part) => part.js));
    // Django links the styles of what comes to life later: it stands in the page from the start.
    const later = manifest.chunks[`part-${page}`]?.css ?? [];
    const css = await gzipped([...parts.flatMap((part) => part.css), ...later]);
    tooMuch ||= js > JS_BUDGET || css > CSS_BUDGET;
    rows.push({
      page,
      language,
      'JS KB': js.toFixed(1),
      of: JS_BUDGET,
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
