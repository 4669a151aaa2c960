import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import sharp from 'sharp';

/**
 * Makes the narrower copies of the pictures that are shown large, and a module for each that names them all.
 *
 * `npm run pictures` reads the originals in static/media and writes beside them `<name>-<width>.<format>`, and
 * frontend/src/pictures/<name>.ts. The result is committed: AVIF is slow to encode, a picture changes once
 * a year, and the same version of sharp writes the same bytes. A picture is never enlarged; the original itself is
 * the largest choice, and a copy hardly narrower than it (more than three quarters) is not worth its file.
 */
const PICTURES = ['hero-landing', 'ocean-poster', 'ocean-poster-portrait'];
const WIDTHS = [480, 960, 1440];

/** @type {Record<'avif' | 'webp' | 'jpg', (picture: import('sharp').Sharp) => import('sharp').Sharp>} */
const FORMATS = {
  avif: (picture) => picture.avif({ quality: 52, effort: 7 }),
  webp: (picture) => picture.webp({ quality: 76, effort: 6 }),
  jpg: (picture) => picture.jpeg({ quality: 76, mozjpeg: true }),
};

const media = fileURLToPath(new URL('../../static/media/', import.meta.url));
const modules = fileURLToPath(new URL('../src/pictures/', import.meta.url));

for (const name of PICTURES) {
  const original = sharp(`${media}${name}.jpg`);
  const { width, height } = await original.metadata();
  const narrower = WIDTHS.filter((candidate) => candidate <= width * 0.75);
  for (const target of narrower) {
    for (const [format, encode] of Object.entries(FORMATS)) {
      await encode(original.clone().resize({ width: target })).toFile(`${media}${name}-${target}.${format}`);
    }
  }
  await writeFile(`${modules}${name}.ts`, moduleOf(name, { width, height, narrower }));
}

/**
 * @param {string} name of the picture
 * @param {{ width: number, height: number, narrower: number[] }} sizes of the original and of its copies
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
  return `// Written by frontend/tools/make-pictures.js.
${imports.join('\n')}
import type { PictureFiles } from '../ui/Picture';

export const ${exported}: PictureFiles = {
${sets.join('\n')}
  src: jpg${width},
  width: ${width},
  height: ${height},
};
`;
}
