/**
 * Prerender every page in every language with the bundle of frontend/src/app/prerender.tsx. Writes
 * frontend/build/pages/<language>/<page>.html, and <page>.<variant>.html for each variant of the page.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const TARGET = 'frontend/build/pages';

/** @type {typeof import('../../src/app/prerender')} */
const { languages, prerendered, render } = createRequire(import.meta.url)(
  '../../build/prerender/prerender.cjs',
);

await rm(TARGET, { recursive: true, force: true });
for (const language of languages) {
  await mkdir(`${TARGET}/${language}`, { recursive: true });
  for (const { name, location } of prerendered) {
    const html = await render(location, language);
    expectFiles(html);
    await writeFile(`${TARGET}/${language}/${name}.html`, html);
  }
}

/**
 * Check that both builds give an asset the same name. They differ for a hash without a letter, to which webpack adds one
 * in the build that writes no files.
 *
 * @param {string} html a page
 * @throws {Error} if it names a file that the build for browsers did not write
 */
function expectFiles(html) {
  for (const [, name] of html.matchAll(/\/static\/app\/([^\s"&?#]+)/g)) {
    if (!existsSync(`frontend/build/app/${name}`)) {
      throw new Error(
        `${name} is missing. If the hash of the asset has no letter, set output.hashSalt of both builds.`,
      );
    }
  }
}
