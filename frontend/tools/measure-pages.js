/**
 * Measures the public pages of a running site with Lighthouse as it measures phones, and prints a table for
 * docs/performance.md: of each figure the median of several runs.
 *
 * `npm run lighthouse -- http://127.0.0.1:8000 5`: the site's address and the number of runs. CHROME_PATH names the
 * browser. Measure on a machine that does nothing else.
 */
import { readFile } from 'node:fs/promises';

import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const [site = 'http://127.0.0.1:8000', runs = '5'] = process.argv.slice(2);

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const METRICS = {
  'first-contentful-paint': 'FCP ms',
  'largest-contentful-paint': 'LCP ms',
  'total-blocking-time': 'TBT ms',
  'cumulative-layout-shift': 'CLS',
};

/** @typedef {{ routes: { path: string, prerendered: boolean }[] }} RouteTable */
const table = /** @type {RouteTable} */ (JSON.parse(await readFile('frontend/routes.json', 'utf8')));

/** @param {string} address @returns {Promise<number[]>} the four scores (0 to 100), then the metrics */
async function measure(address) {
  const chrome = await launch({ chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
  try {
    const result = await lighthouse(address, { port: chrome.port, logLevel: 'error' });
    if (!result) throw new Error(`Lighthouse has no result for ${address}`);
    const { categories, audits } = result.lhr;
    return [
      ...CATEGORIES.map((name) => (categories[name]?.score ?? 0) * 100),
      ...Object.keys(METRICS).map((name) => audits[name]?.numericValue ?? NaN),
    ];
  } finally {
    chrome.kill();
  }
}

/** @param {number[]} values @returns {number} */
function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

const columns = ['page', ...CATEGORIES, ...Object.values(METRICS)];
console.log(`| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`);
for (const { path } of table.routes.filter((route) => route.prerendered)) {
  /** @type {number[][]} */
  const results = [];
  for (let run = 0; run < Number(runs); run += 1) results.push(await measure(`${site}${path}`));
  const medians = columns.slice(1).map((_, column) => median(results.map((result) => result[column] ?? NaN)));
  const shown = medians.map((value) =>
    Number.isInteger(value) ? value : value < 1 ? value.toFixed(3) : value.toFixed(0),
  );
  console.log(`| ${[path, ...shown].join(' | ')} |`);
}
