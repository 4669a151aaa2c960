import type { Locator } from '@playwright/test';

import { expect, MOTION, test, waitForHydration } from './site';

/** Scrolls until the top of an element stands so many pixels above the bottom of the window. */
function showTop(element: Locator, pixels: number): Promise<void> {
  return element.evaluate((node, above) => {
    const distance = node.getBoundingClientRect().top - window.innerHeight + above;
    window.scrollBy({ top: distance, behavior: 'instant' });
  }, pixels);
}

const opacity = (element: Locator) => element.evaluate((node) => Number(getComputedStyle(node).opacity));

test.use(MOTION);

test('a section rises once when it is scrolled into view or past', async ({ page }) => {
  const words = page.locator('main section > div:has(> h2)');
  await page.goto('/landing-companies');
  await showTop(words.last(), 20);
  await waitForHydration(page);
  await expect.poll(() => opacity(words.last())).toBeLessThan(0.5);
  await showTop(words.last(), 400);
  await expect(words.last()).toHaveAttribute('data-risen');
  await showTop(words.last(), 20);
  await expect.poll(() => opacity(words.last())).toBe(1);

  await page.goto('/landing');
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await waitForHydration(page);
  await showTop(words.first(), 20);
  await expect.poll(() => opacity(words.first())).toBe(1);

  await test.step('not with reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/landing');
    await showTop(words.last(), 20);
    expect(await opacity(words.last())).toBe(1);
  });

  await test.step('not without scripts', async () => {
    await page.emulateMedia({ reducedMotion: null });
    await page.route('**/*.js', (route) => route.abort());
    await page.goto('/landing');
    await showTop(words.last(), 500);
    await expect.poll(() => opacity(words.last())).toBe(1);
  });
});
