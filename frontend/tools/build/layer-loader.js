/** Which layer of the cascade a room's styles are in (`frontend/src/styles/base.css` has their order). */
const LAYERS = /** @type {Record<string, string>} */ ({ ui: 'ui', pages: 'pages' });

/**
 * Webpack loader: a CSS module in, the same in the layer of its room out.
 *
 * Every chunk has its own copy of the styles that it needs, so what comes later would beat what an earlier page says
 * of the same part. Between layers the order of arrival is nothing: a page's word on a part of `ui` stands.
 *
 * @this {{ resourcePath: string }} the file that is loaded: `…/frontend/src/<room>/…`
 * @param {string} source
 * @returns {string}
 */
export default function layerLoader(source) {
  const [, room = ''] = /\/frontend\/src\/(\w+)\//.exec(this.resourcePath) ?? [];
  return `@layer ${LAYERS[room] ?? 'rooms'} {\n${source}}\n`;
}
