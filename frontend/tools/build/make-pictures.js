import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import sharp from 'sharp';

/**
 * Makes the narrower copies of the pictures that are shown large, and a module for each that names them all.
 *
 * `npm run pictures` reads the originals in static/media and writes beside them `<name>-<width>.<format>`, and
 * frontend/src/pictures/<name>.ts. The result is committed: AVIF is slow to encode, a picture changes once
 * a year, and the same version of sharp writes the same bytes. A picture is never enlarged; the original itself is
 * the largest choice, and a copy hardly narrower than it (more than three quarters) is not worth its file. A browser that
 * chooses nothing gets the largest WebP.
 */
const PICTURES = [
  'boat-catamaran-1',
  'boat-catamaran-2',
  'boat-motorboat-1',
  'boat-motoryacht-1',
  'boat-motoryacht-2',
  'boat-sailboat-1',
  'boat-sailboat-2',
  'boat-sailboat-3',
  'course-basics',
  'course-docking',
  'course-navigation',
  'course-racing',
  'course-safety',
  'course-weather',
  'hero-companies',
  'hero-landing',
  'hero-sailors',
  'ocean-poster',
  'ocean-poster-portrait',
];

/**
 * Upright cuts out of originals, for windows that are higher than wide: what would lie outside such a window need
 * not be loaded. Each is as high as its original, and a picture of its own from then on.
 */
const CUTS = [
  { name: 'hero-landing-portrait', of: 'hero-landing', left: 843, width: 810 },
  { name: 'hero-companies-portrait', of: 'hero-companies', left: 560, width: 810 },
  { name: 'hero-sailors-portrait', of: 'hero-sailors', left: 740, width: 810 },
];

const WIDTHS = [480, 960, 1440];

/** @type {Record<'avif' | 'webp', (picture: import('sharp').Sharp) => import('sharp').Sharp>} */
const FORMATS = {
  avif: (picture) => picture.avif({ quality: 52, effort: 7 }),
  webp: (picture) => picture.webp({ quality: 76, effort: 6 }),
};

const media = fileURLToPath(new URL('../../../static/media/', import.meta.url));
const modules = fileURLToPath(new URL('../../src/pictures/', import.meta.url));

/** @param {string} name @returns {string} the original that encoding has cost the least */
const best = (name) => (existsSync(`${media}${name}.jpg`) ? `${name}.jpg` : `${name}.webp`);

for (const name of PICTURES) {
  const original = sharp(media + best(name));
  const { width, height } = await original.metadata();
  const narrower = await writeNarrower(name, original, width);
  await writeFile(`${modules}${name}.ts`, moduleOf(name, { width, height, narrower }));
}

for (const { name, of, left, width } of CUTS) {
  const original = sharp(media + best(of));
  const { height } = await original.metadata();
  const cut = original.extract({ left, top: 0, width, height });
  for (const [format, encode] of Object.entries(FORMATS)) {
    await encode(cut.clone()).toFile(`${media}${name}.${format}`);
  }
  const narrower = await writeNarrower(name, cut, width);
  await writeFile(`${modules}${name}.ts`, moduleOf(name, { width, height, narrower }));
}

/**
 * @param {string} name of the picture
 * @param {import('sharp').Sharp} original
 * @param {number} width of the original
 * @returns {Promise<number[]>} the widths of the copies that it wrote
 */
async function writeNarrower(name, original, width) {
  const narrower = WIDTHS.filter((candidate) => candidate <= width * 0.75);
  for (const target of narrower) {
    for (const [format, encode] of Object.entries(FORMATS)) {
      await encode(original.clone().resize({ width: target })).toFile(`${media}${name}-${target}.${format}`);
    }
  }
  return narrower;
}

/**
 * @param {string} name of the picture
 * @param {{ width: number, height: number, narrower: number[] }} original its size, and the widths of its copies
 * @returns {string} TypeScript that exports the picture as `PictureFiles`
 */
function moduleOf(name, { width, height, narrower }) {
  const formats = Object.keys(FORMATS);
  const files = formats.map((format) => [
    ...narrower.map((target) => ({
      as: `${format}${target}`,
      from: `${name}-${target}.${format}`,
      wide: target,
    })),
    { as: `${format}${width}`, from: `${name}.${format}`, wide: width },
  ]);
  const imports = files.flat().map(({ as, from }) => `import ${as} from '@media/${from}';`);
  const sets = formats.map((format, index) => {
    const choices = files[index]?.map(({ as, wide }) => `\${${as}} ${wide}w`);
    return `  ${format}: \`${choices?.join(', ')}\`,`;
  });
  const exported = name.replace(/-\w/g, (match) => match.charAt(1).toUpperCase());
  return `// Written by frontend/tools/build/make-pictures.js.
${imports.join('\n')}
import type { PictureFiles } from '../ui/Picture';

export const ${exported}: PictureFiles = {
${sets.join('\n')}
  src: webp${width},
  width: ${width},
  height: ${height},
};
`;
}
