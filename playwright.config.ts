import { defineConfig } from '@playwright/test';

const PORT = 8765;

/** Journeys in real Chromium against the real server, with a database of its own and mails in a folder. */
export default defineConfig({
  testDir: 'frontend/e2e',
  outputDir: '.cache/test-results',
  workers: 1,
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    launchOptions: {
      ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'scripts/e2e-server',
    url: `http://127.0.0.1:${PORT}/readyz`,
    reuseExistingServer: false,
    stderr: 'ignore', // a JSON line a request
    env: { PORT: String(PORT), SITE_URL: `http://127.0.0.1:${PORT}` },
  },
});
