import type { Locator, Page } from '@playwright/test';

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
