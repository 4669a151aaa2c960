import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: { '@media': fileURLToPath(new URL('./static/media', import.meta.url)) },
  },
  test: {
    include: ['frontend/{src,tools}/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://127.0.0.1:8000/' } },
    setupFiles: 'frontend/src/test/setup.ts',
    restoreMocks: true,
    unstubGlobals: true,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
});
