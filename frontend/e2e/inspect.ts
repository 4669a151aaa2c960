import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** A phone and a desktop. */
const WIDTHS = [390, 1440];

/** The narrowest window that a page has to fit without scrolling sideways (WCAG 1.4.10). */
const REFLOW = 320;

const windowOf = (page: Page) => `at ${page.viewportSize()?.width} px`;

async function expectAccessible(page: Page): Promise<void> {
  // A part that is still fading in has another contrast.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  // In one frame, as our pages are, axe takes a third of its time when it tells of nothing but what it found amiss.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  expect(found, windowOf(page)).toEqual([]);
}

async function expectToFit(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog[open], :popover-open')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth }) => [tagName, scrollWidth]),
  );
  expect(tooWide, windowOf(page)).toEqual([]);
}

/** Fails when axe finds anything in what shows now, or when the page or a menu of it is wider than the window. */
export async function inspectHere(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectToFit(page);
}

/** Inspects what shows now on a phone and on a desktop, and that it fits the narrowest window. */
export async function inspect(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: REFLOW, height: 900 });
  await expectToFit(page);
}
