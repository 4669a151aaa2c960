import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vitest/config';

import catalogueLoader from './frontend/tools/catalogue-loader.js';

/** Compiles the catalogues as webpack does, so that the tests read what production reads. */
const compiledCatalogues: Plugin = {
  name: 'compiled-catalogues',
  enforce: 'pre',
  transform: {
    filter: { id: /\/language\/(en|cs)\/\w+\.json$/ },
    handler: (source, id) => ({
      code: catalogueLoader.call({ resourcePath: id }, source),
      moduleType: 'js',
    }),
  },
};

export default defineConfig({
  plugins: [compiledCatalogues],
  resolve: {
    alias: { '@media': fileURLToPath(new URL('./static/media', import.meta.url)) },
  },
  test: {
    testTimeout: 30_000,
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
        },
      },
      {
        extends: true,
        test: { name: 'tools', include: ['frontend/tools/**/*.test.ts'], environment: 'node' },
      },
    ],
  },
});
