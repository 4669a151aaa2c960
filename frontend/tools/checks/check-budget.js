/**
 * Print the size of what each page loads without a touch, and exit with 1 if it exceeds the budget: 105 KB of JavaScript
 * on a public page, 190 KB on an app page, 15 KB of CSS, each gzipped (1 KB = 1000 bytes), and two preloaded fonts.
 *
 * frontend/e2e/prerendered.spec.ts checks that pages load nothing else.
 */
import { weigh } from './first-load.js';

const PUBLIC_JS_BUDGET = 105;
const APP_JS_BUDGET = 190;
const CSS_BUDGET = 15;
const FONT_BUDGET = 2;

const { pages, fonts } = await weigh();
const budgeted = pages.map((load) => ({
  ...load,
  budget: load.isPublic ? PUBLIC_JS_BUDGET : APP_JS_BUDGET,
}));

console.table(
  budgeted.map(({ page, language, js, css, budget }) => ({
    page,
    language,
    'JS KB': js.toFixed(1),
    of: budget,
    'CSS KB': css.toFixed(1),
    'of ': CSS_BUDGET,
  })),
);
console.log(`Preloaded fonts: ${fonts} of ${FONT_BUDGET}`);
if (fonts > FONT_BUDGET || budgeted.some(({ js, css, budget }) => js > budget || css > CSS_BUDGET)) {
  console.error('The first load is over its budget.');
  process.exitCode = 1;
}
