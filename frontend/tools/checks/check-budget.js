/**
 * Says what each page makes a browser load before anyone touches it, and exits with 1 when that is more
 * than the budget: 105 KB of JavaScript on a public page, 15 KB of CSS, gzipped (1 KB = 1000 bytes), two preloaded
 * fonts. A page for members or on the way there may load its forms and its data at once.
 *
 * What comes with the first sign of a visitor (frontend/src/lazy/signsOfLife.ts) does not count: the stretch below the
 * first screen, and on a site with a measurement id the banner. frontend/e2e/analytics.spec.ts sees that they wait.
 */
import { weigh } from './first-load.js';

const PUBLIC_JS_BUDGET = 105;
const MEMBER_JS_BUDGET = 190;
const CSS_BUDGET = 15;
const FONT_BUDGET = 2;

const { pages, fonts } = await weigh();
const budgeted = pages.map((load) => ({
  ...load,
  budget: load.isPublic ? PUBLIC_JS_BUDGET : MEMBER_JS_BUDGET,
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
