/**
 * Renders every public page in every language, from the bundle that webpack builds of frontend/src/prerender.tsx, to
 * frontend/build/pages/<language>/<page>.html. Django puts these into the pages that it answers with.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const TARGET = 'frontend/build/pages';

/** @type {typeof import('../src/prerender')} */
const { languages, prerendered, render } = createRequire(import.meta.url)('../build/prerender/prerender.cjs');

await rm(TARGET, { recursive: true, force: true });
for (const language of languages) {
  await mkdir(`${TARGET}/${language}`, { recursive: true });
  for (const entry of prerendered) {
    await writeFile(`${TARGET}/${language}/${entry.page}.html`, await render(entry, language));
  }
}
