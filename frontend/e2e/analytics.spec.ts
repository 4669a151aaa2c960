import type { BrowserContext, Page } from '@playwright/test';

import { MEASURED_SITE } from '../playwright.config';
import { getFiles } from './chunks';
import { expectVisibleFocus, inspect } from './inspect';
import { message, PAGES } from './pages';
import {
  DESKTOP,
  expect,
  heading,
  NARROW,
  open,
  PHONE,
  SWEEP,
  test,
  UNTOUCHED,
  waitForHydration,
  watchShifts,
} from './site';

test.use(MEASURED_SITE);

const TAG = 'https://www.googletagmanager.com/gtag/js?id=G-TEST1234';
const GOOGLE = /^https:\/\/([\w-]+\.)*(googletagmanager|google-analytics|analytics\.google)\.com\//;

/** A stub of Google's tag. It reports every event that it receives, unless it is switched off. */
const TAG_STUB = `
  const report = (command) => {
    if (command[0] !== 'event' || window['ga-disable-G-TEST1234']) return;
    for (const name of ['_ga', '_ga_TEST1234']) document.cookie = name + '=GA1.1.1; Path=/';
    fetch('https://region1.google-analytics.com/g/collect?en=' + command[1], { method: 'POST', mode: 'no-cors' });
  };
  const { dataLayer } = window;
  dataLayer.forEach(report);
  dataLayer.push = function (...commands) {
    commands.forEach(report);
    return Array.prototype.push.apply(this, commands);
  };
`;

/** Answer in place of Google. Return the requests so far: 'tag', and the name of each reported event. */
async function stubGoogle(context: BrowserContext): Promise<string[]> {
  const requests: string[] = [];
  await context.route(GOOGLE, async (route) => {
    const address = new URL(route.request().url());
    if (address.href === TAG) {
      requests.push('tag');
      await route.fulfill({ contentType: 'text/javascript', body: TAG_STUB });
    } else {
      requests.push(address.searchParams.get('en') ?? address.href);
      await route.fulfill({ status: 204 });
    }
  });
  return requests;
}

const banner = (page: Page, title = 'May we chart your visit?') =>
  page.getByRole('region', { name: title, exact: true });
const settings = (page: Page) => page.getByRole('button', { name: 'Privacy settings' });

/** Move the mouse over the page until the banner shows. */
async function showBanner(page: Page, region = banner(page)): Promise<void> {
  await expect(async () => {
    for (const x of [1, 2]) await page.mouse.move(x, 300);
    await expect(region).toBeVisible({ timeout: 1000 });
  }).toPass();
}

async function answer(page: Page, name: 'Accept' | 'Reject'): Promise<void> {
  await showBanner(page);
  await banner(page).getByRole('button', { name }).click();
  await expect(banner(page)).toBeHidden();
}

/** Return the paths of the scripts that the page requests from now on. */
function watchScripts(page: Page): Set<string> {
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname);
  });
  return scripts;
}

/** Do what is counted: open another page, press Back. */
async function browse(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Newsletter', exact: true }).click();
  await expect(heading(page)).toHaveText(message('en', 'newsletter.title'));
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(heading(page)).toHaveText(message('en', 'crossroad.headline'));
  await waitForHydration(page);
}

const COUNTED = ['navigation', 'page_view', 'button_click', 'page_view'];

for (const { path } of PAGES) {
  test(
    `${path} untouched loads the scripts that the budget counts and no others, and shows no banner`,
    path === '/landing' ? UNTOUCHED : { tag: [UNTOUCHED.tag, SWEEP.tag] },
    async ({ page }) => {
      const scripts = watchScripts(page);
      await open(page, path);
      await page.waitForLoadState('networkidle');
      const loader = page.locator('script[data-scripts]');
      const counted = ((await loader.getAttribute('data-scripts')) ?? '').split(' ');
      expect([...scripts].toSorted()).toEqual(
        [...counted, (await loader.getAttribute('src')) ?? ''].toSorted(),
      );
      await expect(banner(page)).toHaveCount(0);
      await page.keyboard.press('Tab');
      await expect(banner(page), 'the keyboard is a visitor').toBeVisible();
      await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    },
  );
}

test('nothing is sent before consent or after a refusal, and a refusal is remembered', async ({
  page,
  context,
}) => {
  const requests = await stubGoogle(context);
  await open(page, '/');
  await showBanner(page);
  await browse(page);
  await page.reload();
  await waitForHydration(page);
  expect(await context.cookies()).toEqual([]);

  await answer(page, 'Reject');
  const scripts = watchScripts(page);
  await page.reload();
  await browse(page);
  await expect(settings(page)).toBeVisible();
  await expect(banner(page)).toBeHidden();
  expect([...scripts], 'the banner is not loaded again').not.toContain(getFiles('privacy')[0]);
  expect(requests).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

test('after consent the tag is loaded and receives what happens, until the consent is withdrawn', async ({
  page,
  context,
}) => {
  const requests = await stubGoogle(context);
  await page.goto('/?invitation=0123456789abcdef0123456789abcdef');
  await browse(page);
  await answer(page, 'Accept');
  await expect.poll(() => requests).toEqual(['tag', 'page_view']);
  const commands = await page.evaluate(() =>
    (window.dataLayer ?? []).map((entry) => Array.from<unknown>(entry as IArguments)),
  );
  expect(JSON.stringify(commands), 'an invitation is a secret').not.toContain('0123456789');
  const ads = { ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' };
  expect(commands.slice(0, 2)).toEqual([
    ['consent', 'default', { ...ads, analytics_storage: 'denied' }],
    ['consent', 'update', { analytics_storage: 'granted' }],
  ]);
  expect(commands[2]?.[1]).toMatchObject({
    ads_data_redaction: true,
    allow_ad_personalization_signals: false,
  });
  expect(commands[4]?.[2]).toMatchObject({
    send_page_view: false,
    allow_google_signals: false,
    page_referrer: '',
  });

  requests.length = 0;
  await browse(page);
  await expect.poll(() => requests).toEqual(COUNTED);

  await test.step('the next visit is measured from its start', async () => {
    requests.length = 0;
    await page.goto('/');
    await expect.poll(() => requests).toEqual(['tag', 'page_view']);
    await expect(banner(page)).toBeHidden();
  });

  expect((await context.cookies()).map(({ name }) => name).sort()).toEqual(['_ga', '_ga_TEST1234']);
  await settings(page).press('Enter');
  await expect(banner(page)).toBeFocused();
  await expect(banner(page)).toContainText('Current choice: accepted');
  const reloaded = page.waitForEvent('load');
  requests.length = 0;
  await banner(page).getByRole('button', { name: 'Reject' }).press('Enter');
  await reloaded;
  await expect(banner(page)).toBeHidden();
  await browse(page);
  expect(requests).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

test('the banner moves nothing, is reached first by keyboard, and its two answers look alike', async ({
  page,
}) => {
  await open(page, '/newsletter');
  await page.evaluate(() => document.fonts.ready); // one that arrives late moves the text by some pixels
  const readShift = await watchShifts(page);
  await showBanner(page);
  expect(await readShift()).toBe(0);
  const buttons = banner(page).getByRole('button');
  const styles = await buttons.evaluateAll((elements) =>
    elements.map((button) => {
      const { width, height, color, backgroundColor, borderColor, font } = getComputedStyle(button);
      return { width, height, color, backgroundColor, borderColor, font };
    }),
  );
  expect(styles).toEqual([styles[0], styles[0]]);

  await page.keyboard.press('Tab');
  await expect(buttons.filter({ hasText: 'Reject' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(buttons.filter({ hasText: 'Accept' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(banner(page)).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
});

test(
  'the banner hides no focus, and is accessible, also when it is opened again',
  SWEEP,
  async ({ page }) => {
    for (const { width } of [NARROW, DESKTOP]) {
      await page.setViewportSize({ width, height: 720 });
      for (const path of ['/', '/landing-sailors', '/newsletter']) {
        await page.goto(path);
        await showBanner(page);
        await expectVisibleFocus(page);
      }
    }
    const region = banner(page, message('cs', 'privacy.title'));
    await page.goto('/landing-companies?lang=cs');
    await showBanner(page, region);
    await inspect(page, [PHONE]);
    await region.getByRole('button').last().click();
    await page.locator('footer button').click();
    await expect(region.locator('p')).toHaveCount(2);
    await inspect(page, [PHONE]);
  },
);
