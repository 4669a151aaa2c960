import type { BrowserContext, Locator, Page } from '@playwright/test';

import { chunk, hold, isMain } from './chunks';
import { inspect } from './inspect';
import { message, PAGES } from './pages';
import { expect, expectAlive, LANGUAGES, test } from './site';
import { UNTOUCHED } from './untouched';

const TAG = 'https://www.googletagmanager.com/gtag/js?id=G-TEST1234';
const GOOGLE = /^https:\/\/([\w-]+\.)*(googletagmanager|google-analytics|analytics\.google)\.com\//;

/**
 * Stands in for Google's tag: it reports every event that it is given and asks nobody whether it may. What it does
 * not send was kept from it.
 */
const STAND_IN = `
  const report = (command) => {
    if (command[0] !== 'event') return;
    document.cookie = '_ga=GA1.1.1; Path=/';
    document.cookie = '_ga_TEST1234=GS1.1.1; Path=/';
    fetch('https://region1.google-analytics.com/g/collect?en=' + command[1], { method: 'POST', mode: 'no-cors' });
  };
  const { dataLayer } = window;
  dataLayer.forEach(report);
  dataLayer.push = function (...commands) {
    commands.forEach(report);
    return Array.prototype.push.apply(this, commands);
  };
`;

/** Answers in Google's place; returns the requests so far: the tag, and the name of each event that was reported. */
async function standInForGoogle(context: BrowserContext): Promise<string[]> {
  const requests: string[] = [];
  await context.route(GOOGLE, async (route) => {
    const address = new URL(route.request().url());
    if (address.href === TAG) {
      requests.push('tag');
      await route.fulfill({ contentType: 'text/javascript', body: STAND_IN });
    } else {
      requests.push(address.searchParams.get('en') ?? address.href);
      await route.fulfill({ status: 204 });
    }
  });
  return requests;
}

const banner = (page: Page) => page.getByRole('region', { name: 'May we chart your visit?' });
const settings = (page: Page) => page.getByRole('button', { name: 'Privacy settings' });

/** Moves the mouse over the page until the banner comes. */
async function meet(page: Page, region: Locator = banner(page)): Promise<void> {
  await expect(async () => {
    for (const x of [1, 2]) await page.mouse.move(x, 300);
    await expect(region).toBeVisible({ timeout: 1000 });
  }).toPass();
}

async function answer(page: Page, name: 'Accept' | 'Reject'): Promise<void> {
  await meet(page);
  await banner(page).getByRole('button', { name }).click();
}

/** Notes the scripts that the page asks for from now on. */
function scriptsFor(page: Page): Set<string> {
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname);
  });
  return scripts;
}

/** Does what the site counts: goes to other pages, opens and closes the menu, presses a button. */
async function wander(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Newsletter' }).click();
  await expect(page).toHaveURL('/newsletter');
  await expectAlive(page.getByRole('main'));
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/');
  await page.waitForLoadState('networkidle');
}

const commands = (page: Page) =>
  page.evaluate(() =>
    (window.dataLayer ?? []).map((entry) => {
      const [command, ...rest] = entry as IArguments;
      return [command, ...rest.map((value: unknown) => (value instanceof Date ? 'now' : value))] as unknown[];
    }),
  );

for (const { path } of PAGES) {
  test(
    `nothing but the first load of ${path} is asked for before anyone touches it`,
    UNTOUCHED,
    async ({ page }) => {
      const scripts = scriptsFor(page);
      await page.goto(path);
      await expectAlive(page.getByRole('main'));
      await page.waitForLoadState('networkidle');
      const linked = await page.evaluate(async () => {
        const html = await (await fetch(window.location.href)).text();
        const served = new DOMParser().parseFromString(html, 'text/html');
        return [...served.scripts].flatMap((script) => [
          ...(script.src ? [new URL(script.src).pathname] : []),
          ...(script.dataset.scripts?.split(' ') ?? []),
        ]);
      });
      expect([...scripts].sort()).toEqual(linked.sort());
      await expect(banner(page)).toHaveCount(0);
    },
  );
}

test('not one request leaves before the visitor has agreed', async ({ page, context }) => {
  const requests = await standInForGoogle(context);
  await page.goto('/');
  await meet(page);
  await wander(page);
  await page.reload({ waitUntil: 'networkidle' });
  expect(requests).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

test('not one request leaves after the visitor has rejected, nor on a later visit', async ({
  page,
  context,
}) => {
  const requests = await standInForGoogle(context);
  await page.goto('/');
  await answer(page, 'Reject');
  await expect(banner(page)).toBeHidden();
  await wander(page);
  const scripts = scriptsFor(page);
  await page.reload();
  await wander(page);
  await expect(settings(page)).toBeVisible();
  await expect(banner(page)).toBeHidden();
  expect(scripts).not.toContain(chunk('privacy'));
  expect(requests).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

test('who has rejected loads nothing for the banner, touching the page before it is alive too', async ({
  page,
}) => {
  await page.goto('/');
  await answer(page, 'Reject');
  const asked = scriptsFor(page);
  const main = await hold(page, isMain);
  await page.reload({ waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(async () => {
    await page.mouse.move(200, 200);
    await page.mouse.move(210, 210);
    await expect(page.locator('html')).toHaveAttribute('data-touched', { timeout: 500 });
  }).toPass();
  await main.release();
  await expectAlive(page.getByRole('main'));
  await page.waitForLoadState('networkidle');
  expect(asked).not.toContain(chunk('privacy'));
});

test('after the visitor has agreed, the tag is asked for once and told what happens from then on', async ({
  page,
  context,
}) => {
  const requests = await standInForGoogle(context);
  await page.goto('/');
  await wander(page);
  await answer(page, 'Accept');
  await expect(banner(page)).toBeHidden();
  await expect.poll(() => requests).toEqual(['tag', 'page_view']);
  expect(await commands(page)).toEqual([
    [
      'consent',
      'default',
      {
        ad_storage: 'denied',
        ad_user_data: 'denied',
        ad_personalization: 'denied',
        analytics_storage: 'denied',
      },
    ],
    ['consent', 'update', { analytics_storage: 'granted' }],
    ['set', { ads_data_redaction: true, allow_ad_personalization_signals: false }],
    ['js', 'now'],
    [
      'config',
      'G-TEST1234',
      {
        send_page_view: false,
        allow_google_signals: false,
        page_referrer: '',
        cookie_domain: 'none',
        cookie_expires: 34_128_000,
        cookie_update: false,
        cookie_flags: 'SameSite=Lax',
      },
    ],
    ['event', 'page_view', { page_path: '/', page_title: 'Crossroad - Choose Your Path', language: 'en' }],
  ]);

  requests.length = 0;
  await wander(page);
  expect(requests).toEqual([
    'navigation',
    'page_view',
    'menu_interaction',
    'menu_interaction',
    'button_click',
    'page_view',
  ]);
});

test(
  'a visitor who has agreed is measured from the start of the next visit',
  UNTOUCHED,
  async ({ page, context }) => {
    await page.goto('/');
    const requests = await standInForGoogle(context);
    await answer(page, 'Accept');
    await expect.poll(() => requests).toEqual(['tag', 'page_view']);
    await page.goto('/newsletter');
    await expect.poll(() => requests).toEqual(['tag', 'page_view', 'tag', 'page_view']);
    await expect(banner(page)).toBeHidden();
  },
);

test('the consent is withdrawn where each page ends: no further request, no cookie left', async ({
  page,
  context,
}) => {
  const requests = await standInForGoogle(context);
  await page.goto('/');
  await answer(page, 'Accept');
  await expect.poll(() => requests).toEqual(['tag', 'page_view']);
  expect((await context.cookies()).map(({ name }) => name).sort()).toEqual(['_ga', '_ga_TEST1234']);

  await settings(page).press('Enter');
  await expect(banner(page)).toBeFocused();
  await expect(banner(page)).toContainText('Your choice now: accepted');
  await banner(page).getByRole('button', { name: 'Reject' }).press('Enter');
  await expect(banner(page)).toBeHidden();
  await expect(settings(page)).toBeFocused();
  expect(await page.evaluate(() => window['ga-disable-G-TEST1234'])).toBe(true);

  await wander(page);
  await page.reload({ waitUntil: 'networkidle' });
  expect(requests).toEqual(['tag', 'page_view']);
  expect(await context.cookies()).toEqual([]);
});

test('a consent withdrawn in one tab counts in the others', async ({ page, context }) => {
  const requests = await standInForGoogle(context);
  await page.goto('/');
  await answer(page, 'Accept');
  await expect.poll(() => requests).toEqual(['tag', 'page_view']);
  const other = await context.newPage();
  await other.goto('/newsletter');
  await settings(other).click();
  await answer(other, 'Reject');
  await expect.poll(() => page.evaluate(() => window['ga-disable-G-TEST1234'])).toBe(true);
  requests.length = 0;
  await wander(page);
  expect(requests).toEqual([]);
});

test('a keyboard finds the banner before the page that it has come to', UNTOUCHED, async ({ page }) => {
  await page.goto('/');
  await expectAlive(page.getByRole('main'));
  await page.keyboard.press('Tab');
  await expect(banner(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(banner(page).getByRole('button', { name: 'Accept' })).toBeFocused();
});

test('a keyboard meets the banner before the page, and loses no place when it goes', async ({ page }) => {
  await page.goto('/');
  await meet(page);
  await page.keyboard.press('Tab');
  await expect(banner(page).getByRole('button', { name: 'Reject' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(banner(page).getByRole('button', { name: 'Accept' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(banner(page)).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
});

test('to reject is as prominent as to accept', async ({ page }) => {
  await page.goto('/');
  await meet(page);
  await expect(banner(page).getByRole('button')).toHaveCount(2);
  const looks = await banner(page)
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        const { width, height } = button.getBoundingClientRect();
        const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(button);
        return { width, height, color, backgroundColor, borderColor, fontSize, fontWeight };
      }),
    );
  expect(looks[0]).toEqual(looks[1]);
});

for (const width of [320, 1440]) {
  for (const path of ['/', '/landing-sailors', '/newsletter']) {
    test(`the banner covers nothing that has the focus: ${path} at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 720 });
      await page.goto(path);
      await meet(page);
      const focused = () =>
        banner(page).evaluate((over) => {
          const element = document.activeElement;
          if (!element || element === document.body) return null;
          const own = element.getBoundingClientRect();
          const { top } = over.getBoundingClientRect();
          // What is higher than the room above the banner can only begin there.
          const lowest = own.height > top ? own.top + 1 : own.bottom;
          return {
            name: element.getAttribute('aria-label') ?? element.textContent,
            covered: !over.contains(element) && lowest > top + 1,
          };
        });
      let stops = 0;
      for (;;) {
        await page.keyboard.press('Tab');
        if (!(await focused())) break;
        stops += 1;
        // What is pinned makes way a moment later.
        await expect.poll(focused).toMatchObject({ covered: false });
      }
      expect(stops).toBeGreaterThan(8);
    });
  }
}

test('the banner moves nothing on the page when it comes', async ({ page }) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) document.documentElement.dataset.shift = shift.name;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/newsletter');
  await meet(page);
  await page.waitForLoadState('networkidle');
  await expect(page.locator('html')).not.toHaveAttribute('data-shift');
});

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } });

    const region = (page: Page) =>
      page.getByRole('region', { name: message(language, 'privacy.title'), exact: true });

    for (const { path } of PAGES) {
      test(`the banner on ${path} is accessible`, async ({ page }) => {
        await page.goto(`${path}?lang=${language}`);
        await meet(page, region(page));
        await inspect(page);
      });
    }

    test('the banner is accessible when it is asked for', async ({ page }) => {
      await page.goto(`/newsletter?lang=${language}`);
      await meet(page, region(page));
      await region(page).getByRole('button').last().click();
      await page.locator('footer button').click();
      await expect(region(page).locator('p')).toHaveCount(2);
      await inspect(page);
    });
  });
}
