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

/**
 * What is added to the advance widths, in thousandths of an em. The carons of these letters reach over what follows
 * ("loď pod" reads as "loďpod"): Montserrat makes room by kerning, which cannot work between two font files.
 */
const WIDER = { ď: 120, ť: 40 };

/** A flag of a component in `glyf`. */
const USE_MY_METRICS = 0x0200;

const letters = await subsetFont(await readFile(SOURCE), LETTERS, { targetFormat: 'sfnt' });
widen(letters, WIDER);
const subset = await subsetFont(letters, LETTERS, { targetFormat: 'woff2' });
await writeFile(TARGET, subset);
console.log(`${subset.length} bytes`);

/**
 * Add to the advance widths of letters in a TrueType font whose em has 1000 units (OpenType, `hmtx`, `glyf`, `cmap`).
 *
 * @param {Buffer} font
 * @param {Record<string, number>} additions
 */
function widen(font, additions) {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  /** @param {string} name */
  function getOffset(name) {
    const count = view.getUint16(4);
    const entries = Array.from({ length: count }, (_, index) => 12 + 16 * index);
    const entry = entries.find((start) => font.toString('latin1', start, start + 4) === name);
    if (entry === undefined) throw new Error(`The font has no table ${name}`);
    return view.getUint32(entry + 8);
  }
  const [cmap = 0, glyf = 0, head = 0, hmtx = 0, loca = 0] = ['cmap', 'glyf', 'head', 'hmtx', 'loca'].map(
    getOffset,
  );
  const hasLongOffsets = view.getInt16(head + 50) === 1;
  for (const [letter, addition] of Object.entries(additions)) {
    const glyph = glyphOf(view, cmap, letter.charCodeAt(0));
    view.setUint16(hmtx + 4 * glyph, view.getUint16(hmtx + 4 * glyph) + addition);
    const outline =
      glyf + (hasLongOffsets ? view.getUint32(loca + 4 * glyph) : 2 * view.getUint16(loca + 2 * glyph));
    if (view.getInt16(outline) >= 0) throw new Error(`${letter} is not a letter with an accent`);
    // The letter no longer has the width of its first component.
    view.setUint16(outline + 10, view.getUint16(outline + 10) & ~USE_MY_METRICS);
  }
}

/**
 * Return the glyph of a character by the `cmap` subtable of format 4.
 *
 * @param {DataView} view
 * @param {number} cmap
 * @param {number} character
 */
function glyphOf(view, cmap, character) {
  const offsets = Array.from({ length: view.getUint16(cmap + 2) }, (_, index) =>
    view.getUint32(cmap + 8 + 8 * index),
  );
  const table = cmap + (offsets.find((offset) => view.getUint16(cmap + offset) === 4) ?? 0);
  const size = view.getUint16(table + 6); // twice the number of segments
  for (let end = table + 14; end < table + 14 + size; end += 2) {
    if (character > view.getUint16(end)) continue;
    const start = end + 2 + size;
    const range = start + 2 * size;
    if (character < view.getUint16(start)) return 0;
    const shift = view.getUint16(range);
    const delta = view.getInt16(start + size);
    if (shift === 0) return (character + delta) & 0xffff;
    return view.getUint16(range + shift + 2 * (character - view.getUint16(start)));
  }
  return 0;
}
