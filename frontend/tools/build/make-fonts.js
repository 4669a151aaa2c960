/**
 * Write the font file of the letters that Czech has beyond Latin-1: 18 of the 900 of latin-ext, which is twice as large as
 * all of latin.
 *
 * `npm run fonts` reads the pinned package. The result is committed, and fonts.css names its letters.
 */
import { readFile, writeFile } from 'node:fs/promises';

import subsetFont from 'subset-font';

const LETTERS = 'ĎČĚŇŘŠŤŮŽďčěňřšťůž';
const SOURCE = 'node_modules/@fontsource-variable/montserrat/files/montserrat-latin-ext-wght-normal.woff2';
const TARGET = 'frontend/src/styles/montserrat-czech.woff2';

const subset = await subsetFont(await readFile(SOURCE), LETTERS, { targetFormat: 'woff2' });
await writeFile(TARGET, subset);
console.log(`${subset.length} bytes`);
