/**
 * Measures a page with Lighthouse as it measures phones, and prints scores (0 to 100) and metrics as JSON.
 *
 * `node frontend/tools/bench/measure-page.js <address>`; CHROME_PATH names the browser. Exits with 1 and Lighthouse's reason when
 * it could not tell a score or a metric, as now and then happens: then the next run can.
 */
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const [address] = process.argv.slice(2);
if (!address) throw new Error('Name the address of the page');

const METRICS = {
  fcp: 'first-contentful-paint',
  lcp: 'largest-contentful-paint',
  tbt: 'total-blocking-time',
  cls: 'cumulative-layout-shift',
};

const chrome = await launch({ chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
try {
  const result = await lighthouse(address, { port: chrome.port, logLevel: 'error' });
  if (!result) throw new Error(`Lighthouse has no result for ${address}`);
  const { categories, audits } = result.lhr;
  /** @param {string[]} names */
  const reasonOf = (names) =>
    names.map((name) => audits[name]?.errorMessage).find(Boolean) ?? 'no reason told';
  const scores = Object.entries(categories).map(([name, { score, auditRefs }]) => {
    if (score === null)
      throw new Error(`No score for ${name} of ${address}: ${reasonOf(auditRefs.map(({ id }) => id))}`);
    return [name, Math.round(score * 100)];
  });
  const metrics = Object.entries(METRICS).map(([name, audit]) => {
    const { numericValue } = audits[audit] ?? {};
    if (numericValue === undefined) throw new Error(`No ${audit} of ${address}: ${reasonOf([audit])}`);
    return [name, numericValue];
  });
  console.log(JSON.stringify(Object.fromEntries([...scores, ...metrics])));
} finally {
  chrome.kill();
}
