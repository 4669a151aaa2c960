import type { ElementHandle, Page } from '@playwright/test';

import { hold, isMain, isNewTo, isPart } from './chunks';
import { expect, expectAlive, test, UNTOUCHED } from './site';

const WAYS = {
  'presses the skip link': async (page: Page) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.locator('#content')).toBeFocused();
    await expect(page).toHaveURL('/landing');
  },
  'comes back from a fragment': async (page: Page) => {
    await page.evaluate(() => {
      window.location.hash = 'features';
    });
    await page.goBack();
    await expect(page).toHaveURL('/landing');
  },
  scrolls: (page: Page) => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight)),
};

const hero = (page: Page) => page.getByRole('heading', { level: 1 });

/** Something far below the first screen: the same node for as long as React has not rendered it anew. */
function farBelow(page: Page): Promise<ElementHandle | null> {
  return page.locator('main h2').last().elementHandle();
}

const isInPage = (element: ElementHandle | null) => element?.evaluate((node) => node.isConnected);

for (const [name, act] of Object.entries(WAYS)) {
  test(
    `what stands below the first screen stays while its code comes: a visitor ${name}`,
    UNTOUCHED,
    async ({ page }) => {
      const part = await hold(page, isPart);
      await page.goto('/landing');
      await expectAlive(hero(page));
      const heading = await farBelow(page);
      await act(page);
      await expect.poll(() => part.requests.length).toBeGreaterThan(0);
      expect(await isInPage(heading)).toBe(true);
      await part.release();
      await expectAlive(page.locator('main h2').last());
      expect(await isInPage(heading)).toBe(true);
    },
  );
}

test('what stands below the first screen stays when its code cannot come', UNTOUCHED, async ({ page }) => {
  let asked = 0;
  let loads = 0;
  page.on('domcontentloaded', () => (loads += 1));
  await page.route(isPart, (route) => {
    asked += 1;
    return route.abort();
  });
  await page.goto('/landing');
  await expectAlive(hero(page));
  const heading = page.locator('main h2').last();
  const words = (await heading.textContent()) ?? '';
  await WAYS.scrolls(page);
  await expect.poll(() => asked).toBeGreaterThan(0);
  await WAYS['presses the skip link'](page);
  await expect(heading).toHaveText(words);
  expect(loads, 'the page can be read without, so it does not load itself anew').toBe(1);
});

const JUMPS = {
  '/landing': ['Explore Features', 'services', 'part-landing'],
  '/landing-sailors': ['Start Your Journey', 'features', 'part-landing-sailors'],
  '/landing-companies': ['Get Started', 'business', 'part-landing-companies'],
} as const;

for (const [path, [name, target, chunk]] of Object.entries(JUMPS)) {
  test(`the button of ${path} leads down the page as soon as there is one, after a route change`, async ({
    page,
  }) => {
    await page.goto('/newsletter');
    await expectAlive(hero(page));
    const part = await hold(page, isNewTo('page-newsletter', chunk));
    // As the router does, without a link that leads there.
    await page.evaluate((address) => {
      window.history.pushState(null, '', address);
      window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
    }, path);
    const button = page.getByRole('main').getByRole('link', { name });
    await expect(button).toBeVisible();
    await expect.poll(() => part.requests.length).toBeGreaterThan(0);
    const entries = await page.evaluate(() => window.history.length);
    await button.click();
    await part.release();
    await expect(page.locator(`#${target}`)).toBeFocused();
    await expect(page.locator(`#${target}`).getByRole('heading', { level: 2 })).toBeInViewport();
    await expect(page).toHaveURL(path);
    expect(await page.evaluate(() => window.history.length)).toBe(entries);
  });
}

test.describe('while a picture is still coming', UNTOUCHED, () => {
  const isScript = (address: URL) => address.pathname.endsWith('.js');

  test('the page asks for one script only, and for the others once the picture shows', async ({ page }) => {
    const pictures = await hold(page, /\.(avif|webp)$/);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (isScript(new URL(request.url()))) asked.push(request.url());
    });
    await page.goto('/landing', { waitUntil: 'domcontentloaded' });
    await expect.poll(() => pictures.requests.length).toBeGreaterThan(0);
    await expect(hero(page)).toBeVisible();
    expect(asked).toHaveLength(1);
    await pictures.release();
    await expectAlive(hero(page));
  });

  test('a visitor does not have to wait', async ({ page }) => {
    const pictures = await hold(page, /\.(avif|webp)$/);
    await page.goto('/landing', { waitUntil: 'domcontentloaded' });
    await expect.poll(() => pictures.requests.length).toBeGreaterThan(0);
    await page.keyboard.press('Tab');
    await expectAlive(hero(page));
    await pictures.release();
  });
});

test('a button that is pressed before the scripts have come acts when they have', async ({ page }) => {
  const scripts = await hold(page, isMain);
  await page.goto('/', { waitUntil: 'domcontentloaded' }); // what is held may hold up the load
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
  await expect.poll(() => scripts.requests.length).toBeGreaterThan(0);
  await expect(page.getByRole('dialog')).toBeHidden();
  await scripts.release();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
});

test('no page asks the browser which languages it knows, which takes it long', async ({ page }) => {
  await page.addInitScript(() => {
    const ask = () => {
      throw new Error('asked');
    };
    Intl.NumberFormat.supportedLocalesOf = ask;
    Intl.DateTimeFormat.supportedLocalesOf = ask;
  });
  await page.goto('/landing-sailors');
  await expectAlive(hero(page));
  await WAYS.scrolls(page);
  await expectAlive(page.locator('main h2').last());
});

test('a page whose scripts a deploy has taken away is loaded anew, once', async ({ page }) => {
  let asked = 0;
  await page.route(isMain, (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.goto('/');
  await expect.poll(() => asked).toBeGreaterThan(1);
  await page.waitForLoadState();
  await expectAlive(hero(page));
  expect(asked).toBe(2);
});

test('the language changes all of the page, what sleeps too', UNTOUCHED, async ({ page }) => {
  await page.goto('/landing');
  await expectAlive(hero(page));
  const english = await page.locator('main h2').last().textContent();
  await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  await expect(page.locator('main h2').last()).not.toHaveText(english ?? '');
});
