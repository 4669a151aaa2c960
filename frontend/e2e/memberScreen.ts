import { randomUUID } from 'node:crypto';

import type { Page } from '@playwright/test';

import routeTable from '../routes.json' with { type: 'json' };
import { enrol, keepToken } from './accounts';
import { expect, type LANGUAGES } from './site';

export const DESKTOP = { width: 1440, height: 900 };
export const TABLET = { width: 768, height: 1024 };
export const PHONE = { width: 390, height: 844 };
/** The narrowest window that everything must fit into (WCAG 1.4.10). */
export const NARROW = { width: 320, height: 700 };

interface Visit {
  path: string;
  language: (typeof LANGUAGES)[number];
  viewport: { width: number; height: number };
}

const FOR_MEMBERS = routeTable.routes.filter(({ access }) => access === 'member').map(({ path }) => path);

/** Opens a screen, as a new member where it asks for one, and waits until it shows. */
export async function visit(page: Page, { path, language, viewport }: Visit): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (FOR_MEMBERS.includes(path)) {
    const email = `${randomUUID()}@example.org`;
    await keepToken(page, await enrol(page.request, { firstName: 'Eva', lastName: 'Malá', email }));
  }
  await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  expect(new URL(page.url()).pathname).toBe(path.split('?')[0]);
}
