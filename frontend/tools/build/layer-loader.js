/** The cascade layer of each folder of frontend/src (frontend/src/styles/base.css has their order). */
const LAYERS = /** @type {Record<string, string>} */ ({ ui: 'ui', pages: 'pages' });

/**
 * Webpack loader: put a CSS module into the cascade layer of its folder.
 *
 * Chunks are loaded in any order, and each has its own copy of the styles that it needs. Layers make the order irrelevant:
 * a page always overrides the styles of `ui`.
 *
 * @this {{ resourcePath: string }} the loaded file: `…/frontend/src/<folder>/…`
 * @param {string} source
 * @returns {string}
 */
export default function layerLoader(source) {
  const [, folder = ''] = /\/frontend\/src\/(\w+)\//.exec(this.resourcePath) ?? [];
  return `@layer ${LAYERS[folder] ?? 'modules'} {\n${source}}\n`;
}
