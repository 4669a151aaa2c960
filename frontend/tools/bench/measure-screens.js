/**
 * Measure how long a page takes from an input to the next paint (as INP does, https://web.dev/articles/inp) on a processor
 * slowed down four times: menus, the strip of cards, forms, the marketplace with 5,000 boats, the calendar with 2,000 events.
 *
 * `CHROMIUM=$(scripts/chromium) npm run measure:screens` prints a table for docs/performance.md. Run it on an idle machine.
 * It builds the site into .cache/crowd and replaces the sample data with the modules of frontend/tools/bench/crowd.
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';
import webpack from 'webpack';

import configure from '../../../webpack.config.js';
import { compile } from '../build/compile.js';
import { ManifestPlugin } from '../build/manifest-plugin.js';

/**
 * @typedef {{ key: string, target?: string, only?: string }} Step a key, what has the focus then (a button or a field),
 *   and the only device that has it
 * @typedef {{ screen: string, path: string, isMember?: boolean, values?: Record<string, string>, steps: Step[] }} Journey
 *   `values` are typed before the measurement, by the label of their field
 * @typedef {{ width: number, height: number }} Viewport
 */

const CPU_SLOWDOWN = 4;
const ROUNDS = 3;
/** How long everything that an input leads to may take. */
const SETTLE_MS = 1000;
const TARGET = fileURLToPath(new URL('../../../.cache/crowd', import.meta.url));
const SITE = 'http://site.test';

const LETTERS = ['s', 'p', 'l', 'i', 't'];

/** What the API answers to every operation of these journeys. */
const MEMBER = {
  id: '1',
  email: 'eva@example.org',
  firstName: 'Eva',
  lastName: 'Malá',
  nickname: '',
  phone: '',
  nationality: '',
  isEmailVerified: true,
  avatar: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};
const ANSWER = { me: MEMBER, signIn: { token: 'token', user: MEMBER }, updateProfile: MEMBER };

/** @param {...string} buttons @returns {Step[]} presses of these buttons */
const press = (...buttons) => buttons.map((target) => ({ key: 'Enter', target }));

/** @type {Record<string, Viewport>} */
const VIEWPORTS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** @type {Journey[]} */
const JOURNEYS = [
  { screen: 'full-screen menu', path: '/landing', steps: press('Menu', 'Close') },
  { screen: 'menu of a member', path: '/marketplace', isMember: true, steps: press('Eva') },
  {
    screen: 'strip of cards',
    path: '/landing-sailors',
    steps: press('Next feature', 'Next feature', 'Previous feature'),
  },
  {
    screen: 'sign-in',
    path: '/signin',
    values: { Email: MEMBER.email, Password: 'Blue-Water9' },
    steps: [{ key: '!', target: 'Password' }, ...press('Set Sail')],
  },
  {
    screen: 'profile',
    path: '/profile',
    isMember: true,
    steps: [...press('Edit Profile'), { key: 'a', target: 'First name' }, ...press('Save Changes')],
  },
  {
    screen: 'marketplace',
    path: '/marketplace',
    // Fewer boats with every letter, then more again.
    steps: [...LETTERS, ...LETTERS.map(() => 'Backspace')].map((key) => ({ key, target: 'Search boats' })),
  },
  {
    screen: 'marketplace',
    path: '/marketplace',
    steps: [
      { key: 'Enter', target: 'Filters', only: 'phone' },
      ...press('Catamaran', 'Sailboat', 'Clear all'),
    ],
  },
  {
    screen: 'events',
    path: '/events',
    steps: press('Next month', 'Races', 'All events', 'Previous month', 'more'),
  },
];

/** Runs in the page: keeps the longest duration of an event (Event Timing API). */
const OBSERVE_EVENTS = `
  longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: 'event', durationThreshold: 16 });`;

/** Build the site with much data. @returns {Promise<string>} the HTML of every page, not prerendered */
async function build() {
  const [config] = await configure(undefined, { mode: 'production' });
  if (!config) throw new Error('webpack.config.js has no build for browsers');
  const plugins = (config.plugins ?? []).filter((plugin) => !(plugin instanceof ManifestPlugin));
  /** @param {string} sample @param {string} crowd */
  const replace = (sample, crowd) =>
    new webpack.NormalModuleReplacementPlugin(
      new RegExp(`^\\./${sample}$`),
      fileURLToPath(new URL(`./crowd/${crowd}.ts`, import.meta.url)),
    );
  const [stats] = await compile({
    ...config,
    output: { ...config.output, path: TARGET },
    plugins: [...plugins, replace('sampleBoats', 'manyBoats'), replace('sampleEvents', 'manyEvents')],
  });
  const tags = stats?.compilation.entrypoints
    .get('main')
    ?.getFiles()
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" href="/static/app/${file}">`
        : `<script defer src="/static/app/${file}"></script>`,
    );
  return `<!doctype html>
    <html lang="en" data-language="en">
      <head><meta name="viewport" content="width=device-width, initial-scale=1">${tags?.join('')}</head>
      <body>
        <div id="root"></div>
        <script type="application/json" id="site-config">{"launchYear": "2025", "isLaunchYearPast": true, "gaMeasurementId": "", "siteUrl": "", "picture": ""}</script>
      </body>
    </html>`;
}

/**
 * Make the inputs of a journey.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {string} html
 * @param {Journey} journey
 * @param {Viewport | undefined} viewport
 * @returns {Promise<number[]>} the milliseconds from each input to the next paint
 */
async function measure(browser, html, { path, isMember, values = {}, steps }, viewport) {
  const page = await browser.newPage({ ...(viewport && { viewport }) });
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/graphql') return route.fulfill({ json: { data: ANSWER } });
    return pathname.startsWith('/static/app/')
      ? route.fulfill({ path: `${TARGET}/${basename(pathname)}` })
      : route.fulfill({ contentType: 'text/html', body: html });
  });
  if (isMember) await page.addInitScript("localStorage.setItem('sailing.token', 'token')");
  await page.goto(`${SITE}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.evaluate(OBSERVE_EVENTS);

  /** @type {number[]} */
  const delays = [];
  for (const { key, target } of steps) {
    if (target) {
      const named = page.getByRole('button', { name: target }).or(page.getByLabel(target, { exact: true }));
      await named.filter({ visible: true }).first().focus();
    }
    await page.waitForTimeout(SETTLE_MS);
    await page.evaluate('longest = 0');
    await page.keyboard.press(key);
    await page.waitForTimeout(SETTLE_MS);
    delays.push(await page.evaluate('longest'));
  }
  await page.close();
  return delays;
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

const html = await build();
const browser = await chromium.launch({
  ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
  args: ['--no-sandbox', '--disable-gpu'],
});
console.log('| screen | device | input | ms to the next paint |');
console.log('| --- | --- | --- | --- |');
for (const { steps, ...journey } of JOURNEYS) {
  for (const [device, viewport] of Object.entries(VIEWPORTS)) {
    const possible = steps.filter(({ only = device }) => only === device);
    /** @type {number[][]} */
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(await measure(browser, html, { ...journey, steps: possible }, viewport));
    }
    possible.forEach(({ key, target }, step) => {
      const delay = median(rounds.map((delays) => delays[step] ?? NaN));
      const input = key === 'Enter' ? target : key;
      console.log(`| ${journey.screen} | ${device} | ${input} | ${delay} |`);
    });
  }
}
await browser.close();
