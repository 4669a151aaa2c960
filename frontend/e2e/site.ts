import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
  test as base,
} from '@playwright/test';
import { HtmlValidate } from 'html-validate';

export { expect } from '@playwright/test';

export const LANGUAGES = ['en', 'cs'] as const;
export type Language = (typeof LANGUAGES)[number];

export const DESKTOP = { width: 1440, height: 900 };
export const TABLET = { width: 768, height: 1024 };
export const PHONE = { width: 390, height: 844 };
/** The narrowest window that a page must fit without scrolling sideways (WCAG 1.4.10). */
export const NARROW = { width: 320, height: 700 };

/** A test that `make verify` also runs on PostgreSQL. */
export const DATABASE = { tag: '@database' };

/** A test that repeats a check in several windows or another language. Only `make verify` runs it. */
export const SWEEP = { tag: '@sweep' };

/** For `test.use`: videos play, sections rise and the strip is pinned. */
export const MOTION = { contextOptions: { reducedMotion: 'no-preference' as const } };

/** A test of a page that no visitor has touched yet. */
export const UNTOUCHED = { tag: '@untouched' };

const POINTER_EVENTS = ['pointermove', 'pointerover', 'pointerenter', 'mousemove', 'mouseover', 'mouseenter'];

const htmlValidate = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'no-deprecated-attr': 'off' }, // Outlook on Windows needs `align`, `bgcolor` and the attributes of tables
});

/** Return what html-validate finds in a page or a mail. */
export async function findMarkupErrors(html: string): Promise<string[]> {
  const { results } = await htmlValidate.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ line, message, ruleId, selector }) => `${line}: ${message} (${ruleId}) ${selector ?? ''}`,
    ),
  );
}

function collectProblems(context: BrowserContext, problems: string[]): void {
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    if (message.text().startsWith('Failed to load resource')) return;
    problems.push(message.text());
  });
}

interface Fixtures {
  problems: string[];
  /** Open the browser of another person. */
  openBrowser: (options?: BrowserContextOptions) => Promise<Page>;
  stillPointer: undefined;
  validDocuments: undefined;
}

/**
 * Playwright's `test`, which also fails when a page logs an error, throws one or violates its Content Security Policy
 * (Chromium logs a violation as an error). Failed requests do not count: some journeys cause them on purpose.
 */
export const test = base.extend<Fixtures>({
  problems: [
    async ({ context }, use) => {
      const problems: string[] = [];
      collectProblems(context, problems);
      await use(problems);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],

  openBrowser: async ({ browser, problems }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      collectProblems(context, problems);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },

  /** Headless Chromium moves a pointer over each page by itself, which the site takes for a visitor. */
  stillPointer: [
    async ({ context }, use, { tags }) => {
      if (tags.includes(UNTOUCHED.tag)) {
        await context.addInitScript((types) => {
          for (const type of types)
            window.addEventListener(type, (event) => event.stopImmediatePropagation(), { capture: true });
        }, POINTER_EVENTS);
      }
      await use(undefined);
    },
    { auto: true },
  ],

  /** In a sweep, each page has to be valid HTML as it is sent. */
  validDocuments: [
    async ({ context, baseURL }, use, { tags }) => {
      const checks: Promise<string[]>[] = [];
      if (tags.includes(SWEEP.tag)) {
        context.on('response', (response) => {
          const isDocument = response.request().resourceType() === 'document';
          if (!isDocument || !response.url().startsWith(String(baseURL))) return;
          const html = response.text().catch(() => ''); // a redirect, or the page has gone on
          checks.push(html.then((text) => (text.startsWith('<!') ? findMarkupErrors(text) : [])));
        });
      }
      await use(undefined);
      expect([...new Set((await Promise.all(checks)).flat())]).toEqual([]);
    },
    { auto: true },
  ],
});

export const main = (page: Page) => page.getByRole('main');
export const heading = (page: Page) => page.getByRole('heading', { level: 1 });
export const button = (page: Page, name: string | RegExp) =>
  main(page).getByRole('button', { name, exact: typeof name === 'string' });
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
/** The live region with the number of boats or events. */
export const count = (page: Page) => main(page).getByRole('status').first();

/** Wait until React has hydrated the page. An assertion would look twice a second only. */
export async function waitForHydration(page: Page): Promise<void> {
  // A new tab has no element yet.
  await page.waitForFunction(() => document.querySelector('html[data-hydrated]') !== null);
}

/** Open a page and wait until React has hydrated it. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

export async function chooseLanguage(page: Page, language: Language, baseURL = ''): Promise<void> {
  await page.context().addCookies([{ name: 'django_language', value: language, url: baseURL }]);
}

/** Collect how far the page moves by itself from now on; the returned function reads it. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  const observe = () => {
    new PerformanceObserver((list) => {
      const { dataset } = document.documentElement;
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
        dataset.shift = String(Number(dataset.shift ?? 0) + value);
    }).observe({ type: 'layout-shift' });
  };
  await page.addInitScript(observe);
  await page.evaluate(observe);
  return async () => Number(await page.locator('html').getAttribute('data-shift'));
}

/** Press Tab until an element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; stop < 200; stop += 1) {
    await page.keyboard.press('Tab');
    if (await hasFocus()) return;
  }
  throw new Error('Tab does not reach the element');
}
