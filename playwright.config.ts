import { defineConfig } from '@playwright/test';

import { UNTOUCHED } from './frontend/e2e/untouched';

/** The first of three ports; another one lets two checkouts run side by side. */
const PORT = Number(process.env.E2E_PORT ?? 8765);
const SMTP_PORT = PORT + 1;
const MEASURED_PORT = PORT + 2;
const MEASURED = ['analytics.spec.ts', 'reports.spec.ts'];

const { CHROMIUM, CHROMIUM_SHELL = CHROMIUM } = process.env;

/** Playwright's own with windows, which it does not take by itself. */
const WHOLE = { channel: 'chromium' };

const touched = { grepInvert: new RegExp(UNTOUCHED.tag) };
const untouched = { grep: new RegExp(UNTOUCHED.tag) };

/** A site's address, and how the browser is started that visits it; without its path it is Playwright's own. */
const on = (port: number, executablePath?: string, own: { channel?: string } = {}) => ({
  baseURL: `http://127.0.0.1:${port}`,
  launchOptions: {
    ...(executablePath ? { executablePath } : own),
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
});

/** The server of the settings that a test needs. */
const server = (port: number, settings: Record<string, string>) => ({
  command: 'scripts/e2e-server',
  url: `http://127.0.0.1:${port}/readyz`,
  reuseExistingServer: false,
  stderr: 'ignore' as const, // a JSON line a request
  env: {
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    EMAIL_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
    ...settings,
  },
});

/** Journeys in real Chromium against the real server, with a database and a mail server of its own. */
export default defineConfig({
  testDir: 'frontend/e2e',
  outputDir: '.cache/test-results',
  forbidOnly: true,
  workers: 2,
  expect: { timeout: 15_000 }, // on a machine that does other things too
  timeout: 60_000, // axe looks through each state of a page twice, seconds each on a busy machine
  use: {
    screenshot: 'only-on-failure', // traces (`--trace retain-on-failure`) take a third of the time
  },
  projects: [
    { name: 'site', testIgnore: MEASURED, ...touched, use: on(PORT, CHROMIUM_SHELL) },
    { name: 'untouched site', testIgnore: MEASURED, ...untouched, use: on(PORT, CHROMIUM, WHOLE) },
    { name: 'measured site', testMatch: MEASURED, ...touched, use: on(MEASURED_PORT, CHROMIUM_SHELL) },
    {
      name: 'untouched measured site',
      testMatch: MEASURED,
      ...untouched,
      use: on(MEASURED_PORT, CHROMIUM, WHOLE),
    },
  ],
  webServer: [
    {
      command: 'scripts/e2e-mail-server',
      port: SMTP_PORT,
      reuseExistingServer: false,
      env: { SMTP_PORT: String(SMTP_PORT) },
    },
    server(PORT, { GA_MEASUREMENT_ID: '', SENTRY_DSN: '' }),
    // A database of its own, whichever the other one has.
    server(MEASURED_PORT, {
      GA_MEASUREMENT_ID: 'G-TEST1234',
      SENTRY_DSN: 'https://key@reports.example/42',
      DATABASE_URL: '',
    }),
  ],
});
