import { basename } from 'node:path';

import pictures from './pictures.json' with { type: 'json' };

const WEBP_WIDTH = 960;

/**
 * Return the files of a picture of static/media, in the shape of PictureFiles (frontend/src/ui/Picture.tsx).
 *
 * @param {string} path of the largest AVIF
 * @param {(file: string) => string | Promise<string>} getUrl
 * @throws {Error} if frontend/tools/build/make-pictures.js does not list the picture
 */
export async function describePicture(path, getUrl) {
  const name = basename(path, '.avif');
  const picture = Object.entries(pictures).find(([listed]) => listed === name)?.[1];
  if (!picture) throw new Error(`make-pictures.js does not list ${name}`);
  const { width, height, copies } = picture;
  const smaller = copies.map(async (copy) => `${await getUrl(`${name}-${copy}.avif`)} ${copy}w`);
  const largest = `${await getUrl(`${name}.avif`)} ${width}w`;
  return {
    avif: [...(await Promise.all(smaller)), largest].join(', '),
    webp: await getUrl(copies.includes(WEBP_WIDTH) ? `${name}-${WEBP_WIDTH}.webp` : `${name}.webp`),
    width,
    height,
  };
}

/**
 * Webpack loader: turn `<name>.avif?picture` into the URLs of all its copies, in one small module.
 *
 * @this {import('webpack').LoaderContext<object>}
 */
export default async function pictureLoader() {
  const files = await describePicture(this.resourcePath, async (file) => {
    /** @type {{ default: string } | string} */
    const url = await this.importModule(`./${file}`);
    return typeof url === 'string' ? url : url.default;
  });
  return `export default ${JSON.stringify(files)}`;
}
