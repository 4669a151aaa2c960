/**
 * Write smaller copies of the pictures in static/media, `<name>-<width>.<format>`, and their sizes in pictures.json beside
 * this script: AVIF in all widths, and one WebP for browsers without AVIF.
 *
 * `npm run pictures`. The results are committed, because encoding AVIF is slow and the same version of sharp writes the same
 * bytes. The original is the largest choice; a copy wider than three quarters of it is not worth a file.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import sharp from 'sharp';

const PICTURES = [
  'boat-catamaran-1',
  'boat-catamaran-2',
  'boat-crew',
  'boat-motorboat-1',
  'boat-motoryacht-1',
  'boat-motoryacht-2',
  'boat-sailboat-1',
  'boat-sailboat-2',
  'boat-sailboat-3',
  'boat-sailboat-4',
  'boat-sailboat-5',
  'boat-sailboat-6',
  'boat-sailboat-7',
  'cargo-ship',
  'course-anchor',
  'course-basics',
  'course-docking',
  'course-gennaker',
  'course-navigation',
  'course-night',
  'course-racing',
  'course-safety',
  'course-weather',
  'cover',
  'hero-companies',
  'hero-companies-portrait',
  'hero-landing',
  'hero-landing-portrait',
  'hero-landing-square',
  'hero-landing-strip',
  'hero-sailors',
  'hero-sailors-portrait',
  'hero-sailors-square',
  'hero-sailors-strip',
  'ocean-poster',
  'ocean-poster-portrait',
  'path-regatta',
  'path-skipper',
];

/** A strip of fine waves needs more than the default. */
const AVIF_QUALITY = new Map([['cover', 66]]);
const DEFAULT_AVIF_QUALITY = 52;

const WIDTHS = [480, 960, 1440, 1920];

const WEBP_WIDTH = 960;

const media = fileURLToPath(new URL('../../../static/media/', import.meta.url));

/** @type {string[]} */
const sizes = [];
for (const name of PICTURES) {
  const picture = openOriginal(name);
  const { width, height } = await picture.metadata();
  const copies = await writeCopies(name, picture, width);
  sizes.push(`  ${JSON.stringify(name)}: ${JSON.stringify({ width, height, copies })}`);
}
await writeFile(new URL('pictures.json', import.meta.url), `{\n${sizes.join(',\n')}\n}\n`);

/** Return the original; a JPEG has lost less than a WebP. @param {string} name */
function openOriginal(name) {
  const jpeg = `${media}${name}.jpg`;
  return sharp(existsSync(jpeg) ? jpeg : `${media}${name}.webp`);
}

/**
 * Write the smaller copies of a picture, and return their widths.
 *
 * @param {string} name
 * @param {import('sharp').Sharp} picture
 * @param {number} width of the original
 */
async function writeCopies(name, picture, width) {
  const copies = WIDTHS.filter((candidate) => candidate <= width * 0.75);
  const quality = AVIF_QUALITY.get(name) ?? DEFAULT_AVIF_QUALITY;
  for (const copy of copies) {
    const smaller = picture.clone().resize({ width: copy });
    await smaller.avif({ quality, effort: 7 }).toFile(`${media}${name}-${copy}.avif`);
  }

  const hasWebpCopy = copies.includes(WEBP_WIDTH);
  const webp = hasWebpCopy ? `${name}-${WEBP_WIDTH}` : name;
  const fallback = hasWebpCopy ? picture.clone().resize({ width: WEBP_WIDTH }) : picture.clone();
  if (!existsSync(`${media}${webp}.webp`) || hasWebpCopy) {
    await fallback.webp({ quality: 76, effort: 6 }).toFile(`${media}${webp}.webp`);
  }
  return copies;
}
