import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';

import { expect } from './site';

/** Fails when axe finds anything in what shows now, or when the page is wider than the window (WCAG 1.4.10). */
export async function inspect(page: Page): Promise<void> {
  // A part that is still fading in has another contrast.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

/** More than the stops of any of our pages. */
const STOPS = 200;

/** Goes on by Tab until an element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; stop < STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    if (await hasFocus()) return;
  }
  throw new Error('Tab does not lead there');
}
