import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vitest/config';

import catalogueLoader from './frontend/tools/build/catalogue-loader.js';

/** Compiles the catalogues as webpack does, so that the tests read what production reads. */
const compiledCatalogues: Plugin = {
  name: 'compiled-catalogues',
  enforce: 'pre',
  transform: {
    filter: { id: /\/messages\/(en|cs)\/\w+\.json$/ },
    handler: (source, id) => ({
      code: catalogueLoader.call({ resourcePath: id }, source),
      moduleType: 'js',
    }),
  },
};

const tests = readdirSync('frontend/src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => `frontend/src/${path}`);

/** Tests that put other modules in the place of ours, or load them anew, which the tests after them would meet. */
const alone = tests.filter((path) => /\bvi\.(mock|doMock|resetModules)\b/.test(readFileSync(path, 'utf8')));

const inWindow = {
  environment: 'jsdom',
  environmentOptions: { jsdom: { url: 'http://127.0.0.1:8000/' } },
  setupFiles: 'frontend/src/test/setup.ts',
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
          ...inWindow,
          name: 'src',
          include: ['frontend/src/**/*.test.{ts,tsx}'],
          exclude: alone,
          isolate: false, // half the time: modules and the window are made once
        },
      },
      { extends: true, test: { ...inWindow, name: 'alone', include: alone } },
      {
        extends: true,
        test: { name: 'tools', include: ['frontend/tools/**/*.test.ts'], environment: 'node' },
      },
    ],
  },
});
