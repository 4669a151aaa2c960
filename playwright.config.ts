import { defineConfig } from '@playwright/test';

const PORT = 8765;
const SMTP_PORT = 8766;

/** Journeys in real Chromium against the real server, with a database and a mail server of its own. */
export default defineConfig({
  testDir: 'frontend/e2e',
  outputDir: '.cache/test-results',
  forbidOnly: true,
  workers: 1,
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    trace: 'retain-on-failure',
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
  webServer: [
    {
      command: 'scripts/e2e-mail-server',
      port: SMTP_PORT,
      reuseExistingServer: false,
      env: { SMTP_PORT: String(SMTP_PORT) },
    },
    {
      command: 'scripts/e2e-server',
      url: `http://127.0.0.1:${PORT}/readyz`,
      reuseExistingServer: false,
      stderr: 'ignore', // a JSON line a request
      env: {
        PORT: String(PORT),
        SITE_URL: `http://127.0.0.1:${PORT}`,
        EMAIL_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
      },
    },
  ],
});
