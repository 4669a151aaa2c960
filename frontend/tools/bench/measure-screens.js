/**
 * Measure the script time of an input in the marketplace with 5,000 boats and in the calendar with 2,000 events, on a
 * processor slowed down four times, and print a table for docs/performance.md.
 *
 * `npm run measure:screens`, or `npm run measure:screens -- events` for these alone; CHROMIUM names the browser. Run it
 * on an idle machine. It builds the site into .cache/crowd and replaces the sample data with the modules of
 * frontend/tools/bench/crowd.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';
import webpack from 'webpack';

import configure from '../../../webpack.config.js';
import { compile } from '../build/compile.js';
import { ManifestPlugin } from '../build/manifest-plugin.js';
import { costOf } from './traces.js';

/**
 * @typedef {import('./traces.js').Cost} Cost
 * @typedef {{ key: string, button?: string }} Step a key, and the button that has the focus then
 * @typedef {{ screen: string, path: string, viewport: { width: number, height: number }, steps: Step[] }} Journey
 */

/** Part of the name of the screens to measure. */
const [wanted = ''] = process.argv.slice(2);

const SLOWDOWN = 4;
const ROUNDS = 3;
/** How long everything that a press leads to may take to come to rest, in milliseconds. */
const REST = 1000;
const TARGET = fileURLToPath(new URL('../../../.cache/crowd', import.meta.url));
const TRACED = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel', 'v8'];
const TYPES = new Map([
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
]);

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** What is looked for. */
const LETTERS = ['s', 'p', 'l', 'i', 't'];

/** @param {string} device @param {Journey['viewport']} viewport @returns {Journey[]} */
const journeys = (device, viewport) => [
  {
    screen: `marketplace, ${device}`,
    path: '/marketplace',
    viewport,
    // Fewer boats with every letter, then more again.
    steps: [...LETTERS, ...LETTERS.map(() => 'Backspace')].map((key) => ({ key })),
  },
  {
    screen: `events, ${device}`,
    path: '/events',
    viewport,
    steps: ['Next month', 'Races', 'All events', 'Previous month', 'more'].map((button) => ({
      key: 'Enter',
      button,
    })),
  },
];

/** @returns {Promise<{ scripts: string[], styles: string[] }>} what a page links */
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
  const files = stats?.compilation.entrypoints.get('main')?.getFiles() ?? [];
  return {
    scripts: files.filter((file) => file.endsWith('.js')),
    styles: files.filter((file) => file.endsWith('.css')),
  };
}

/** @param {Awaited<ReturnType<typeof build>>} files @returns {string} a page as Django answers it, before it comes to life */
function document({ scripts, styles }) {
  return `<!doctype html>
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        ${styles.map((file) => `<link rel="stylesheet" href="/static/app/${file}">`).join('')}
        ${scripts.map((file) => `<script defer src="/static/app/${file}"></script>`).join('')}
      </head>
      <body>
        <div id="root"></div>
        <script type="application/json" id="site-config">{"launchYear": "2025", "gaMeasurementId": "", "siteUrl": "", "picture": ""}</script>
      </body>
    </html>`;
}

/** @param {string} html what every address but a file's answers @returns {Promise<import('node:http').Server>} */
async function serve(html) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (!pathname.startsWith('/static/app/')) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
      return;
    }
    readFile(`${TARGET}/${basename(pathname)}`).then(
      (content) => response.setHeader('Content-Type', TYPES.get(extname(pathname)) ?? '').end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return server;
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} site
 * @param {Journey} journey
 * @returns {Promise<Cost[]>} of each step
 */
async function sail(browser, site, { path, viewport, steps }) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.goto(`${site}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const field = page.getByRole('searchbox');
  if (await field.count()) await field.focus();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });

  /** @type {Cost[]} */
  const costs = [];
  for (const { key, button } of steps) {
    if (button) await page.getByRole('main').getByRole('button', { name: button }).first().focus();
    await page.waitForTimeout(REST);
    await browser.startTracing(page, { categories: TRACED });
    await page.keyboard.press(key);
    await page.waitForTimeout(REST);
    /** @type {{ traceEvents: import('./traces.js').TraceEvent[] }} */
    const trace = JSON.parse((await browser.stopTracing()).toString());
    costs.push(costOf(trace.traceEvents));
  }
  await context.close();
  return costs;
}

/** @param {number[]} values @returns {number} */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

const server = await serve(document(await build()));
const address = server.address();
if (!address || typeof address === 'string') throw new Error('The server has no port');
const site = `http://127.0.0.1:${address.port}`;
const browser = await chromium.launch({
  ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
  args: ['--no-sandbox', '--disable-gpu'],
});

console.log('| screen | press | script to paint, ms | script in all, ms | longest task, ms |');
console.log('| --- | --- | --- | --- | --- |');
const every = [...journeys('desktop', DESKTOP), ...journeys('phone', PHONE)];
for (const journey of every.filter(({ screen }) => screen.includes(wanted))) {
  /** @type {Cost[][]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await sail(browser, site, journey));
  journey.steps.forEach(({ key, button = key }, step) => {
    const figures = /** @type {const} */ (['toPaint', 'inAll', 'longestTask']).map((figure) =>
      median(rounds.map((costs) => costs[step]?.[figure] ?? NaN)).toFixed(0),
    );
    console.log(`| ${[journey.screen, button, ...figures].join(' | ')} |`);
  });
}
await browser.close();
server.close();
