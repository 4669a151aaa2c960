import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** A phone and a desktop. */
const WIDTHS = [390, 1440];

/** The narrowest window that a page has to fit without scrolling sideways (WCAG 1.4.10). */
const REFLOW = 320;

/** Fails when axe finds anything in the page as it stands, or when the page or a menu of it is wider than the window. */
export async function inspect(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // A part that is still fading in has another contrast.
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    expect(found, `at ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: REFLOW, height: 900 });
  const tooWide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog[open], :popover-open')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth }) => [tagName, scrollWidth]),
  );
  expect(tooWide, `at ${REFLOW} px`).toEqual([]);
}
