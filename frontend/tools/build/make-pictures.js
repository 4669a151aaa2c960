/**
 * Write smaller copies of the pictures in static/media, `<name>-<width>.<format>`, and for each picture a module that names
 * its files, frontend/src/pictures/<name>.ts.
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

/** Portrait crops of originals, at full height, for windows that are higher than wide. */
const CROPS = [
  { name: 'hero-landing-portrait', of: 'hero-landing', left: 843, width: 810 },
  { name: 'hero-companies-portrait', of: 'hero-companies', left: 560, width: 810 },
  { name: 'hero-sailors-portrait', of: 'hero-sailors', left: 740, width: 810 },
];

const WIDTHS = [480, 960, 1440];

/** @type {Record<string, (picture: import('sharp').Sharp) => import('sharp').Sharp>} */
const FORMATS = {
  avif: (picture) => picture.avif({ quality: 52, effort: 7 }),
  webp: (picture) => picture.webp({ quality: 76, effort: 6 }),
};

const media = fileURLToPath(new URL('../../../static/media/', import.meta.url));
const modules = fileURLToPath(new URL('../../src/pictures/', import.meta.url));

for (const name of PICTURES) {
  const picture = openOriginal(name);
  await writeCopies(name, picture, await picture.metadata());
}

for (const { name, of, left, width } of CROPS) {
  const original = openOriginal(of);
  const { height } = await original.metadata();
  const crop = original.extract({ left, top: 0, width, height });
  await encode(crop, name);
  await writeCopies(name, crop, { width, height });
}

/** Return the original; a JPEG has lost less than a WebP. @param {string} name */
function openOriginal(name) {
  const jpeg = `${media}${name}.jpg`;
  return sharp(existsSync(jpeg) ? jpeg : `${media}${name}.webp`);
}

/** Write a picture in each format. @param {import('sharp').Sharp} picture @param {string} name */
async function encode(picture, name) {
  for (const [format, convert] of Object.entries(FORMATS)) {
    await convert(picture.clone()).toFile(`${media}${name}.${format}`);
  }
}

/**
 * Write the smaller copies of a picture, and its module.
 *
 * @param {string} name
 * @param {import('sharp').Sharp} picture
 * @param {{ width: number, height: number }} size
 */
async function writeCopies(name, picture, { width, height }) {
  const copies = WIDTHS.filter((candidate) => candidate <= width * 0.75);
  for (const copy of copies) await encode(picture.clone().resize({ width: copy }), `${name}-${copy}`);

  const files = [
    ...copies.map((copy) => ({ wide: copy, file: `${name}-${copy}` })),
    { wide: width, file: name },
  ];
  const imports = Object.keys(FORMATS).flatMap((format) =>
    files.map(({ wide, file }) => `import ${format}${wide} from '@media/${file}.${format}';`),
  );
  const sets = Object.keys(FORMATS).map((format) => {
    const choices = files.map(({ wide }) => `\${${format}${wide}} ${wide}w`);
    return `  ${format}: \`${choices.join(', ')}\`,`;
  });
  const exported = name.replace(/-\w/g, (match) => match.charAt(1).toUpperCase());
  await writeFile(
    `${modules}${name}.ts`,
    `// Written by frontend/tools/build/make-pictures.js.
${imports.join('\n')}
import type { PictureFiles } from '../ui/Picture';

export const ${exported}: PictureFiles = {
${sets.join('\n')}
  src: webp${width},
  width: ${width},
  height: ${height},
};
`,
  );
}
