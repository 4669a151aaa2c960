import { mkdir, readFile, writeFile } from 'node:fs/promises';

import subsetFont from 'subset-font';

/**
 * Makes the font file of the letters that Czech has beyond Latin-1: 18 of the 900 of latin-ext, which is twice as
 * large as all of latin.
 *
 * `npm run fonts` writes it to frontend/src/styles, from the pinned package; the result is committed.
 */
const LETTERS = 'ĎČĚŇŘŠŤŮŽďčěňřšťůž';
const SOURCE = 'node_modules/@fontsource-variable/montserrat/files/montserrat-latin-ext-wght-normal.woff2';
const FOLDER = 'frontend/src/styles';

await mkdir(FOLDER, { recursive: true });
const subset = await subsetFont(await readFile(SOURCE), LETTERS, { targetFormat: 'woff2' });
await writeFile(`${FOLDER}/montserrat-czech.woff2`, subset);
console.log(
  `${subset.length} bytes; unicode-range: ${[...LETTERS]
    .map((letter) => letter.codePointAt(0) ?? 0)
    .sort((one, other) => one - other)
    .map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
    .join(', ')}`,
);
