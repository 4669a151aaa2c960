/**
 * Renders every public page in every language, from the bundle that webpack builds of frontend/src/prerender.tsx, to
 * frontend/build/pages/<language>/<page>.html, or <page>.<source>.html for a page that differs with `?source=`. Django
 * puts these into the pages that it answers with.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const TARGET = 'frontend/build/pages';

/** @type {typeof import('../../src/prerender')} */
const { languages, prerendered, render } = createRequire(import.meta.url)(
  '../../build/prerender/prerender.cjs',
);

await rm(TARGET, { recursive: true, force: true });
for (const language of languages) {
  await mkdir(`${TARGET}/${language}`, { recursive: true });
  for (const entry of prerendered) {
    for (const source of [undefined, ...(entry.sources ?? [])]) {
      const html = await render(entry, language, source);
      expectFiles(html);
      const name = source ? `${entry.page}.${source}` : entry.page;
      await writeFile(`${TARGET}/${language}/${name}.html`, html);
    }
  }
}

/**
 * The two builds have to agree on the names of files. They do not on a hash without a letter: to such a one webpack gives
 * a letter in the build that writes no files, and not in the other.
 *
 * @param {string} html a page
 * @throws {Error} when it names a file that the build for browsers has not written
 */
function expectFiles(html) {
  for (const [, name] of html.matchAll(/\/static\/app\/([^\s"&?#]+)/g)) {
    if (!existsSync(`frontend/build/app/${name}`)) {
      throw new Error(
        `There is no ${name}. Should its hash have no letter in the file: set output.hashSalt of both builds.`,
      );
    }
  }
}
