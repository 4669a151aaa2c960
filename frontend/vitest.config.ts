import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vitest/config';

import catalogueLoader, { CONTENT } from './tools/build/catalogue-loader.js';
import { describePicture } from './tools/build/picture-loader.js';

/** Return the two parts of a module's id, as webpack names them. */
function split(id: string) {
  const [resourcePath = '', query] = id.split('?');
  return { resourcePath, resourceQuery: query ? `?${query}` : '' };
}

/** Compiles messages and sample data as the webpack build does. */
const compiledContent: Plugin = {
  name: 'compiled-content',
  enforce: 'pre',
  transform: {
    filter: { id: CONTENT },
    handler: (source, id) => ({
      code: catalogueLoader.call(split(id), source),
      moduleType: 'js',
    }),
  },
};

/** Gives the pictures their URLs without a build. */
const pictures: Plugin = {
  name: 'pictures',
  enforce: 'pre',
  load: {
    filter: { id: /\.avif\?picture$/ },
    handler: async (id) => {
      const files = await describePicture(id.replace('?picture', ''), (file) => `/static/app/${file}`);
      return `export default ${JSON.stringify(files)}`;
    },
  },
};

export default defineConfig({
  plugins: [compiledContent, pictures],
  resolve: {
    alias: { '@media': fileURLToPath(new URL('../static/media', import.meta.url)) },
  },
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    mockReset: true,
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'src',
          include: ['frontend/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'http://127.0.0.1:8000/' } },
          setupFiles: 'frontend/src/test/setup.ts',
          // Takes half the time: jsdom and the packages are loaded once. After each file setup.ts forgets the
          // modules, and vitest their mocks.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'tools', include: ['frontend/tools/**/*.test.ts'], environment: 'node' },
      },
    ],
  },
});
