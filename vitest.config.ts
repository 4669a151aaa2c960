import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@media': fileURLToPath(new URL('static/media', import.meta.url)) } },
  test: { environment: 'jsdom', include: ['frontend/src/**/*.test.{ts,tsx}'], restoreMocks: true },
});
