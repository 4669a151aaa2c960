/**
 * Measure a page with Lighthouse's settings for phones, and print scores (0 to 100) and metrics as JSON.
 *
 * `node frontend/tools/bench/lighthouse/measure-page.js <url>`; CHROME_PATH names the browser. Exits with 1 and
 * Lighthouse's reason if a score or a metric is missing, which happens now and then; a retry helps.
 */
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const [url] = process.argv.slice(2);
if (!url) throw new Error('Usage: measure-page.js <url>');

const METRICS = {
  fcp: 'first-contentful-paint',
  lcp: 'largest-contentful-paint',
  tbt: 'total-blocking-time',
  cls: 'cumulative-layout-shift',
};

const chrome = await launch({ chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
try {
  const result = await lighthouse(url, { port: chrome.port, logLevel: 'error' });
  if (!result) throw new Error(`Lighthouse has no result for ${url}`);
  const { categories, audits } = result.lhr;
  /** @param {string} what @param {string[]} names of the audits that it depends on */
  const missing = (what, names) => {
    const reason = names.map((name) => audits[name]?.errorMessage).find(Boolean) ?? 'no reason given';
    return new Error(`No ${what} of ${url}: ${reason}`);
  };
  const scores = Object.entries(categories).map(([name, { score, auditRefs }]) => {
    if (score === null)
      throw missing(
        `${name} score`,
        auditRefs.map(({ id }) => id),
      );
    return [name, Math.round(score * 100)];
  });
  const metrics = Object.entries(METRICS).map(([name, audit]) => {
    const value = audits[audit]?.numericValue;
    if (value === undefined) throw missing(audit, [audit]);
    return [name, value];
  });
  console.log(JSON.stringify(Object.fromEntries([...scores, ...metrics])));
} finally {
  chrome.kill();
}
