import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults } from 'axe-core';
import type { Page } from '@playwright/test';

import { DESKTOP, expect, NARROW, PHONE } from './site';

/** Evaluated in the page itself: @axe-core/playwright opens a second page for each run, which takes ten times as long. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const describeState = (page: Page) => `${page.url()} at ${page.viewportSize()?.width} px`;

/** What is open over the page. */
export const OVERLAY = 'dialog:modal, :popover-open';

/** Expect that axe finds nothing in the present state and window, or in a part of it. */
async function expectAccessible(page: Page, part = ':root'): Promise<void> {
  // An element that fades in has another contrast until it is there.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (selector) => {
    const { axe } = window as unknown as {
      axe: { run: (context: Node | null, options: object) => Promise<AxeResults> };
    };
    const parts = document.querySelectorAll(selector);
    const results = await axe.run(parts.item(parts.length - 1), {
      resultTypes: ['violations'],
      preload: { assets: ['media'] }, // copies of the style sheets would violate the Content Security Policy
    });
    return results.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
  }, part);
  expect.soft(violations, describeState(page)).toEqual([]);
}

/** Expect that neither the page nor an open dialog or menu is wider than the window. */
async function expectToFit(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog[open], :popover-open')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth }) => [tagName, scrollWidth]),
  );
  expect.soft(tooWide, describeState(page)).toEqual([]);
}

/** Check the present state, or a part of it, in the given windows, and that it fits the narrowest one. */
export async function inspect(page: Page, viewports = [DESKTOP, PHONE], part?: string): Promise<void> {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await expectAccessible(page, part);
  }
  await page.setViewportSize(NARROW);
  await expectToFit(page);
}

/** Check the open dialog or menu in the present window. */
export async function inspectOverlay(page: Page): Promise<void> {
  await expect(page.locator(OVERLAY)).not.toHaveCount(0);
  await expectAccessible(page, OVERLAY);
  await expectToFit(page);
}

/** Runs in the page: return what has the focus while it is hidden, '' if it is visible, undefined without a focus. */
function describeHiddenFocus(): string | undefined {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const { left, top, width, height } = (element.closest('label') ?? element).getBoundingClientRect();
  const parts = [0.1, 0.5, 0.9];
  const isVisible = parts.some((x) =>
    parts.some((y) => {
      const shown = document.elementFromPoint(left + x * width, top + y * height);
      return (
        shown &&
        (element.contains(shown) || shown.contains(element) || shown.closest('label')?.contains(element))
      );
    }),
  );
  return isVisible ? '' : element.outerHTML.slice(0, 120);
}

/** Expect that nothing, a bar for example, hides the focus on the way through the page and back (WCAG 2.4.11). */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const hidden = new Set<string>();
  for (const key of ['Tab', 'Shift+Tab']) {
    let stops = 0;
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press(key);
      const found = await page.evaluate(describeHiddenFocus);
      if (found !== undefined) stops += 1;
      else if (stops > 0) break; // beyond the end or the start
      if (found) hidden.add(found);
    }
    expect(stops).toBeGreaterThan(5);
  }
  expect.soft([...hidden], describeState(page)).toEqual([]);
}
