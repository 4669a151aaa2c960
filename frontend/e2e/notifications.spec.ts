import type { Page } from '@playwright/test';

import { inspectHere } from './inspect';
import { tabTo } from './keyboard';
import { DESKTOP, NARROW, PHONE, visit } from './memberScreen';
import { expect, LANGUAGES, test } from './site';

const WORDS = {
  en: {
    unread: '3 unread notifications',
    two: '2 unread notifications',
    none: 'All caught up!',
    read: 'Mark as read',
    readAll: 'Mark all as read',
    older: 'Load older notifications',
    opens: 'This opens when the community launches in 2025.',
  },
  cs: {
    unread: '3 nepřečtená oznámení',
    two: '2 nepřečtená oznámení',
    none: 'Máte přečteno!',
    read: 'Označit jako přečtené',
    readAll: 'Označit vše jako přečtené',
    older: 'Načíst starší oznámení',
    opens: 'Tato část se otevře, až komunita v roce 2025 vypluje.',
  },
};

const main = (page: Page) => page.getByRole('main');
const entry = (page: Page, title: string) =>
  main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title }) });
const count = (page: Page) => main(page).getByRole('status');

for (const language of LANGUAGES) {
  const words = WORDS[language];

  for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`notifications on a ${device} (${language}): one is read by a press on it, then all, then older ones are asked for`, async ({
      page,
    }) => {
      await visit(page, { path: '/notifications', language, viewport });
      await expect(count(page)).toHaveText(words.unread);
      await expect(main(page).getByRole('listitem')).toHaveCount(8);

      // Anywhere on the entry.
      await entry(page, 'New comment').click({ position: { x: 8, y: 8 } });
      await expect(count(page)).toHaveText(words.two);
      await expect(entry(page, 'New comment').getByRole('button')).toHaveCount(0);

      await page.getByRole('button', { name: words.readAll }).click();
      await expect(count(page)).toHaveText(words.none);
      await expect(page.getByRole('button', { name: words.read })).toHaveCount(0);
      await expect(page.getByRole('button', { name: words.readAll })).toHaveCount(0);

      await page.getByRole('button', { name: words.older }).click();
      await expect(page.getByText(words.opens)).toBeVisible();
    });
  }

  test(`notifications by keyboard (${language}): the focus goes on where it was`, async ({ page }) => {
    await visit(page, { path: '/notifications', language, viewport: DESKTOP });
    await tabTo(page, entry(page, 'New like').getByRole('button'));
    await page.keyboard.press('Enter');
    await expect(count(page)).toHaveText(words.two);
    await page.keyboard.press('Tab');
    await expect(entry(page, 'New comment').getByRole('button')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: words.readAll })).toBeFocused();
    await page.keyboard.press('Space');
    await expect(count(page)).toHaveText(words.none);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

  test(`notifications are accessible (${language}): unread, one read, all read`, async ({ page }) => {
    for (const viewport of [NARROW, DESKTOP]) {
      await visit(page, { path: '/notifications', language, viewport });
      await inspectHere(page);
      await entry(page, 'New like').getByRole('button').click();
      await inspectHere(page);
      await page.getByRole('button', { name: words.readAll }).click();
      await inspectHere(page);
    }
  });
}
