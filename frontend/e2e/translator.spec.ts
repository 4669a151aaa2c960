import type { Page } from '@playwright/test';

import { becomeMember } from './accounts';
import { ROUTES } from './pages';
import { expect, open, SWEEP, test } from './site';

/** Noon, so that ages and dates stay the same. */
const VISIT = new Date(2026, 6, 15, 12);

/**
 * Translate the page as a browser does: each text moves into elements of the translator. A translation adds a dot.
 */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    while (nodes.nextNode()) {
      const { currentNode: node } = nodes;
      if (node.textContent?.trim() && !node.parentElement?.closest('script, style, textarea, option'))
        texts.push(node);
    }
    for (const text of texts) {
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = `${text.textContent}·`;
      outer.append(inner);
      (text as Text).replaceWith(outer);
    }
    document.documentElement.lang = 'de';
    document.documentElement.classList.add('translated-ltr');
  });
}

/** Return the texts of the page, without the dots of the translation. */
async function readTexts(page: Page): Promise<string[]> {
  const texts = await page.locator('#root').evaluate((root) => (root as HTMLElement).innerText);
  return texts
    .replaceAll(/·/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

const languageLink = (page: Page) => page.locator('a[hreflang]').filter({ visible: true }).first();
for (const { path, access } of ROUTES) {
  const details = path === '/marketplace' ? {} : SWEEP;
  test(`translated, ${path} changes all its texts`, details, async ({ page }) => {
    await page.clock.setFixedTime(VISIT);
    if (access === 'member') await becomeMember(page);
    await open(page, `${path}?lang=cs`);
    await expect(languageLink(page)).toBeVisible();
    await page.waitForLoadState('networkidle'); // a part of the page may be loaded later
    const expected = await readTexts(page);
    await open(page, `${path}?lang=en`);
    await expect(languageLink(page)).toBeVisible();
    await translate(page);
    await languageLink(page).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
    await expect.poll(() => readTexts(page)).toEqual(expected);
  });
}
