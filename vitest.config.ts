import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vitest/config';

import catalogueLoader from './frontend/tools/build/catalogue-loader.js';
import { describePicture } from './frontend/tools/build/picture-loader.js';

/** Compiles the message catalogues as the webpack build does. */
const compiledCatalogues: Plugin = {
  name: 'compiled-catalogues',
  enforce: 'pre',
  transform: {
    filter: { id: /\/messages\/(en|cs)\/[\w-]+\.json$/ },
    handler: (source, id) => ({
      code: catalogueLoader.call({ resourcePath: id }, source),
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

const tests = readdirSync('frontend/src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => `frontend/src/${path}`);

/** Tests that replace or reload modules: the tests after them in the same process could get those modules. */
const isolated = tests.filter((path) =>
  /\bvi\.(mock|doMock|resetModules)\b/.test(readFileSync(path, 'utf8')),
);

const browser = {
  environment: 'jsdom',
  environmentOptions: { jsdom: { url: 'http://127.0.0.1:8000/' } },
  setupFiles: 'frontend/src/test/setup.ts',
};

export default defineConfig({
  plugins: [compiledCatalogues, pictures],
  resolve: {
    alias: { '@media': fileURLToPath(new URL('./static/media', import.meta.url)) },
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
          ...browser,
          name: 'src',
          include: ['frontend/src/**/*.test.{ts,tsx}'],
          exclude: isolated,
          isolate: false, // takes half the time, because modules and jsdom are loaded once
        },
      },
      { extends: true, test: { ...browser, name: 'isolated', include: isolated } },
      {
        extends: true,
        test: { name: 'tools', include: ['frontend/tools/**/*.test.ts'], environment: 'node' },
      },
    ],
  },
});
