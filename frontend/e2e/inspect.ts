import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** A phone, a desktop, and the narrowest window that a page has to fit into (WCAG 1.4.10). */
const WIDTHS = [390, 1440, 320];

/** Fails when axe finds anything in what shows now, or when the page or a menu of it is wider than the window. */
export async function inspectHere(page: Page): Promise<void> {
  const window = `at ${page.viewportSize()?.width} px`;
  // A part that is still fading in has another contrast.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  expect(found, window).toEqual([]);
  const tooWide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog[open], :popover-open')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth }) => [tagName, scrollWidth]),
  );
  expect(tooWide, window).toEqual([]);
}

/** Inspects what shows now in windows of several widths. */
export async function inspect(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await inspectHere(page);
  }
}
