import type { ElementHandle, Page } from '@playwright/test';

import { holdPart, isPart } from './parts';
import { expect, expectAlive, test } from './site';

const WAYS = {
  'presses the skip link': async (page: Page) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/landing#content');
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
  test(`what stands below the first screen stays while its code comes: a visitor ${name}`, async ({
    page,
  }) => {
    const held = await holdPart(page);
    await page.goto('/landing');
    await expectAlive(hero(page));
    const heading = await farBelow(page);
    await act(page);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    expect(await isInPage(heading)).toBe(true);
    await Promise.all(held.map((route) => route.continue()));
    await expectAlive(page.locator('main h2').last());
    expect(await isInPage(heading)).toBe(true);
  });
}

test('what stands below the first screen stays when its code cannot come', async ({ page }) => {
  let asked = 0;
  await page.route(isPart, (route) => {
    asked += 1;
    return route.abort();
  });
  await page.goto('/landing');
  await expectAlive(hero(page));
  const heading = page.locator('main h2').last();
  const words = (await heading.textContent()) ?? '';
  await WAYS.scrolls(page);
  // The page loads itself anew, once, for a deploy may have removed the file. From then on it stays as it is.
  await expect.poll(() => asked).toBeGreaterThan(1);
  await expectAlive(hero(page));
  await WAYS['presses the skip link'](page);
  await expect(heading).toHaveText(words);
});

test('the language changes all of the page, what sleeps too', async ({ page }) => {
  await page.goto('/landing');
  await expectAlive(hero(page));
  const english = await page.locator('main h2').last().textContent();
  await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  await expect(page.locator('main h2').last()).not.toHaveText(english ?? '');
});
