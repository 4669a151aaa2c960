import { defineConfig } from '@playwright/test';

/** The first of four ports. Another one lets two checkouts run side by side. */
const PORT = Number(process.env.E2E_PORT ?? 8765);
const SMTP_PORT = PORT + 1;
const MEASURED_PORT = PORT + 2;
const DEVELOPMENT_PORT = PORT + 3;

const DEVELOPMENT = 'development.spec.ts';
/** Only when asked for. */
const RANDOM = process.env.DURATION ? [] : ['random-use.spec.ts'];
const AUDITS = 'graphql-over-http.spec.ts'; // also where the schema may be read

/** Whether `make verify` runs, or a developer one file. `make test` leaves the development build out. */
const hasSweeps = !process.argv.includes('--grep-invert');

process.env.DATABASE_URL ??= `sqlite:///${process.cwd()}/.cache/e2e/${PORT}.sqlite3`;
process.env.E2E_SOCKET = `.cache/e2e/${PORT}.socket`; // the journeys read it too (django.ts)

const executablePath = process.env.CHROMIUM_SHELL ?? process.env.CHROMIUM;

const origin = (port: number) => `http://127.0.0.1:${port}`;

/** For `test.use`: the site of most tests, without Google Analytics and Sentry. */
export const SITE = { baseURL: origin(PORT) };

/** The site with Google Analytics and Sentry. */
export const MEASURED_SITE = { baseURL: origin(MEASURED_PORT) };

const server = (port: number, settings: Record<string, string>) => ({
  command: 'scripts/e2e-server',
  cwd: process.cwd(),
  url: `${origin(port)}/readyz`,
  reuseExistingServer: false,
  stderr: 'ignore' as const, // one JSON line per request
  env: {
    PORT: String(port),
    SITE_URL: origin(port),
    EMAIL_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
    CAMPAIGN_MAILS_PER_SECOND: '20', // slow enough to pause a campaign
    ...settings,
  },
});

/** Journeys in Chromium against gunicorn, with a database and a mail server of their own. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: '../.cache/test-results',
  forbidOnly: true,
  fullyParallel: true,
  workers: 4, // on two cores: a journey waits half of its time, for mails and for pages to settle
  expect: { timeout: 15_000 }, // enough on a busy machine
  timeout: 120_000, // a journey through all pages takes 30 s on an idle machine
  maxFailures: 20, // a site that does not start fails them all, 15 s each
  use: {
    contextOptions: { reducedMotion: 'reduce' }, // the video alone takes a core; MOTION is for its journeys
    screenshot: 'only-on-failure', // traces (`--trace retain-on-failure`) take a third of the time
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    },
  },
  projects: [
    { name: 'site', testIgnore: [DEVELOPMENT, ...RANDOM], use: SITE },
    {
      name: 'development build',
      testMatch: [DEVELOPMENT, AUDITS],
      use: { baseURL: origin(DEVELOPMENT_PORT) },
    },
  ],
  webServer: [
    {
      command: 'scripts/e2e-mail-server',
      cwd: process.cwd(),
      port: SMTP_PORT,
      reuseExistingServer: false,
      env: { SMTP_PORT: String(SMTP_PORT) },
    },
    // Playwright starts the servers one after another.
    { command: '.venv/bin/python -m scripts.e2e_database', cwd: process.cwd(), wait: { stdout: /ready/ } },
    server(PORT, { GA_MEASUREMENT_ID: '', SENTRY_DSN: '' }),
    // Analytics and error reports are on.
    server(MEASURED_PORT, {
      GA_MEASUREMENT_ID: 'G-TEST1234',
      SENTRY_DSN: 'https://key@reports.example/42',
    }),
    ...(hasSweeps
      ? [server(DEVELOPMENT_PORT, { DEBUG: 'true', DJANGO_SETTINGS_MODULE: 'scripts.development_build' })]
      : []),
  ],
});
