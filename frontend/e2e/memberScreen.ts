import type { Page } from '@playwright/test';

import { expect, type LANGUAGES } from './site';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** The narrowest window that everything must fit into (WCAG 1.4.10). */
export const NARROW = { width: 320, height: 700 };

interface Visit {
  path: string;
  language: (typeof LANGUAGES)[number];
  viewport: { width: number; height: number };
}

/** Opens a member screen and waits until it shows. */
export async function visit(page: Page, { path, language, viewport }: Visit): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
}
