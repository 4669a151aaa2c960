/** Measure the assets of each page that load without a touch, in the latest build. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

const LANGUAGES = ['en', 'cs'];

/** @typedef {{ js: string[], css: string[] }} Assets */
/** @typedef {{ entrypoints: { deferHydration: Assets, main: Assets }, chunks: Record<string, Assets>, fonts: string[] }} Manifest */
/** @typedef {{ page: string, isPublic?: boolean, catalogue: string, chunks?: string[] }} Entry */
/** @typedef {{ routes: Entry[], notFound: Entry }} RouteTable */
/** @typedef {{ page: string, language: string, isPublic: boolean, js: number, css: number }} FirstLoad sizes in KB */

/** @param {Uint8Array} content @returns {number} its size in KB (1 KB = 1000 bytes), gzipped on its own */
export function gzipped(content) {
  return gzipSync(content, { level: 9 }).length / 1000;
}

/** @returns {Promise<{ pages: FirstLoad[], fonts: number }>} every page in every language; how many fonts are preloaded */
export async function weigh() {
  const manifest = /** @type {Manifest} */ (
    JSON.parse(await readFile('frontend/build/manifest.json', 'utf8'))
  );
  const table = /** @type {RouteTable} */ (JSON.parse(await readFile('frontend/routes.json', 'utf8')));

  /** @param {string} name @returns {Assets} */
  const chunk = (name) => {
    const assets = manifest.chunks[name];
    if (!assets) throw new Error(`The build has no chunk ${name}`);
    return assets;
  };

  const pages = [];
  for (const { page, isPublic = false, catalogue, chunks = [] } of [...table.routes, table.notFound]) {
    for (const language of LANGUAGES) {
      // As sailing/pages/manifest.py links them.
      const messages = ['public', catalogue].map((name) => `messages-${name}-${language}`);
      const names = [`page-${page}`, ...messages, ...chunks];
      const { deferHydration, main } = manifest.entrypoints;
      const parts = [deferHydration, main, ...names.map(chunk)];
      pages.push({
        page,
        language,
        isPublic,
        js: await totalSize(parts.flatMap((part) => part.js)),
        css: await totalSize(parts.flatMap((part) => part.css)),
      });
    }
  }
  return { pages, fonts: manifest.fonts.length };
}

/** @param {string[]} addresses @returns {Promise<number>} their size in KB, each file gzipped on its own */
async function totalSize(addresses) {
  const sizes = [...new Set(addresses)].map(async (address) =>
    gzipped(await readFile(`frontend/build/app/${basename(address)}`)),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
