import type { Page } from '@playwright/test';
import sharp from 'sharp';

import { DESKTOP, expect, open, PHONE, SWEEP, TABLET, test } from './site';

interface PaintedText {
  text: string;
  color: string;
  lines: DOMRect[];
}

/** Return the texts over the picture with the rectangle of each line, and hide them. A filled button has none. */
function hideTexts(page: Page): Promise<PaintedText[]> {
  return page.evaluate(() => {
    const texts = document.querySelectorAll<HTMLElement>(
      'header :is(a, button), [data-surface="dark"] :is(p:has(~ h1), h1, h1 ~ p, aside p)',
    );
    return Array.from(texts, (element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const lines = Array.from(range.getClientRects(), (line) => line.toJSON() as DOMRect);
      const { color, backgroundColor } = getComputedStyle(element);
      const isOverPicture = backgroundColor === 'rgba(0, 0, 0, 0)';
      if (isOverPicture) element.style.visibility = 'hidden';
      return { text: element.textContent, color, lines: isOverPicture ? lines : [] };
    });
  });
}

/** What each value of a channel contributes to the relative luminance (WCAG 2.2), before its weight. */
const LINEAR = Float64Array.from({ length: 256 }, (_, channel) => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** Return the relative luminance of a color (WCAG 2.2). */
function luminance(red = 0, green = 0, blue = 0): number {
  return 0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0);
}

/** Return the lowest contrast of each white text to the pixels behind it. */
async function measureContrasts(page: Page): Promise<Record<string, number>> {
  const texts = await hideTexts(page);
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const contrasts: Record<string, number> = {};
  for (const { text, color, lines } of texts) {
    const own = luminance(...(color.match(/\d+/g) ?? []).slice(0, 3).map(Number));
    const isDark = own < 0.5;
    if (lines.length === 0 || isDark) continue;
    let brightest = 0;
    for (const { x, y, width, height } of lines) {
      for (let row = Math.ceil(y); row < Math.min(y + height, info.height); row += 1) {
        for (let column = Math.ceil(x); column < Math.min(x + width, info.width); column += 1) {
          const start = (row * info.width + column) * info.channels;
          brightest = Math.max(brightest, luminance(data[start], data[start + 1], data[start + 2]));
        }
      }
    }
    contrasts[text] = (own + 0.05) / (brightest + 0.05);
  }
  return contrasts;
}

/** The pages, with the least number of texts over their pictures. */
const PAGES = {
  '/': 6,
  '/lost': 6,
  '/landing': 3,
  '/landing-sailors': 3,
  '/landing-companies': 3,
  '/newsletter': 1,
  '/signin': 1,
  '/signup': 1,
};

for (const [path, leastTexts] of Object.entries(PAGES)) {
  test(`text over the picture of ${path} has a contrast of 4.5`, SWEEP, async ({ page }) => {
    for (const viewport of [
      PHONE,
      TABLET,
      DESKTOP,
      { width: 1024, height: 1366 },
      { width: 1024, height: 650 },
      { width: 1920, height: 1080 },
    ]) {
      await page.setViewportSize(viewport);
      await open(page, path);
      await page.evaluate(() =>
        Promise.all(
          [...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode()),
        ),
      );
      const contrasts = await measureContrasts(page);
      expect(Object.keys(contrasts).length).toBeGreaterThanOrEqual(leastTexts);
      const low = Object.entries(contrasts).filter(([, contrast]) => contrast < 4.5);
      expect.soft(low, `${viewport.width} x ${viewport.height}`).toEqual([]);
    }
  });
}
