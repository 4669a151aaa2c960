import type { Locator } from '@playwright/test';

import { expect, waitForHydration, test } from './site';

/** Scrolls until the top of an element stands so many pixels above the bottom of the window. */
function showTop(element: Locator, pixels: number): Promise<void> {
  return element.evaluate((node, above) => {
    const distance = node.getBoundingClientRect().top - window.innerHeight + above;
    window.scrollBy({ top: distance, behavior: 'instant' });
  }, pixels);
}

const opacity = (element: Locator) => element.evaluate((node) => Number(getComputedStyle(node).opacity));

for (const path of ['/landing', '/landing-sailors', '/landing-companies']) {
  test(`a section of ${path} rises once when it is scrolled into view`, async ({ page }) => {
    await page.goto(path);
    const words = page.locator('main section > div:has(> h2)').last();
    await showTop(words, 20);
    await waitForHydration(page);
    await expect.poll(() => opacity(words)).toBeLessThan(0.5);
    await showTop(words, 400);
    await expect(words).toHaveAttribute('data-risen');
    await showTop(words, 20);
    await expect.poll(() => opacity(words)).toBe(1);
  });
}

test('a section that is scrolled past has risen too', async ({ page }) => {
  await page.goto('/landing');
  const words = page.locator('main section > div:has(> h2)').first();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await waitForHydration(page);
  await showTop(words, 20);
  await expect.poll(() => opacity(words)).toBe(1);
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('no section rises', async ({ page }) => {
    await page.goto('/landing');
    const words = page.locator('main section > div:has(> h2)').last();
    await showTop(words, 20);
    expect(await opacity(words)).toBe(1);
  });
});

test('every section is visible without scripts', async ({ page }) => {
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/landing');
  const sections = page.locator('main section > div:has(> h2)');
  await expect(sections).toHaveCount(6);
  for (const words of await sections.all()) {
    await showTop(words, 500);
    await expect.poll(() => opacity(words)).toBe(1);
  }
});
