import type { Page } from '@playwright/test';

import { button, count, DESKTOP, dialog, expect, open, PHONE, SWEEP, tabTo, test } from './site';

test.use({ viewport: DESKTOP });

test.describe('the marketplace', () => {
  const boats = (page: Page) => page.getByRole('article');
  const boat = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

  test('searches, filters, sorts and shows a boat, and keeps the choice in the address', async ({ page }) => {
    await open(page, '/marketplace');
    await expect(count(page)).toHaveText('10 boats available, 2 unavailable');
    await page.getByLabel('Search boats').fill('SIBENIK');
    await expect(count(page)).toHaveText('1 boat available');
    await expect(page).toHaveURL(/\?search=SIBENIK$/);
    await page.getByLabel('Search boats').fill('');
    await expect(page).toHaveURL(/\/marketplace$/);

    await button(page, 'Catamaran').click();
    await page.getByLabel('Sort by').selectOption('price-low');
    await expect(count(page)).toHaveText('2 boats available');
    await expect(boats(page).first()).toHaveAccessibleName('Maestral');
    await expect(page).toHaveURL(/\?type=catamaran&sort=price-low$/);

    // On the picture of a card, among its words and at its lower edge.
    for (const part of [0.2, 0.6, 0.98]) {
      const card = boat(page, 'Maestral');
      const box = await card.boundingBox();
      if (!box) throw new Error('The card is not visible');
      await card.click({ position: { x: box.width / 3, y: (box.height - 2) * part } });
      await expect(dialog(page, 'Maestral')).toContainText('Snorkeling gear');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(card.getByRole('button')).toBeFocused();
    }

    await page.reload();
    await expect(boats(page)).toHaveCount(2);
    await expect(page.getByLabel('Sort by')).toHaveValue('price-low');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Academy' }).click();
    await expect(page).toHaveURL('/academy');
    await page.goBack();
    await expect(boats(page)).toHaveCount(2);

    await open(page, '/marketplace?search=fulmar');
    await expect(boat(page, 'Fulmar')).toContainText('Not Available');
    await expect(boat(page, 'Fulmar').getByRole('button', { name: 'Unavailable' })).toBeDisabled();
  });

  test('opens filters and details as sheets on a phone', async ({ page }) => {
    await page.setViewportSize(PHONE);
    await open(page, '/marketplace');
    await button(page, /^Filters/).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    const labelWidths = await sheet
      .locator('label')
      .evaluateAll((labels) => labels.map((label) => label.clientWidth));
    expect(labelWidths).toHaveLength(7);
    expect(Math.min(...labelWidths)).toBeGreaterThan(1); // not hidden visually
    await sheet.getByRole('button', { name: 'Catamaran', exact: true }).click();
    await sheet.getByRole('button', { name: 'Show 2 boats' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(count(page)).toHaveText('2 boats available');
    await boat(page, 'Thalassa').getByRole('button', { name: 'View Details' }).click();
    await expect(dialog(page, 'Thalassa')).toBeVisible();
    await page.mouse.click(200, 10); // above the sheet
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('lines up its cards under a count on one line', SWEEP, async ({ page }) => {
    for (const language of ['en', 'cs']) {
      await open(page, `/marketplace?lang=${language}`);
      await expect(boats(page)).toHaveCount(12);
      for (const width of [320, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const { height } = (await count(page).boundingBox()) ?? { height: NaN };
        expect(height, `the count is one line at ${width} px`).toBeLessThan(40);
        // Distances to the lower edge, which the cards of a row share.
        const distances = await boats(page).evaluateAll((cards) =>
          cards.map((card) =>
            ['strong', 'p:has(> [aria-hidden] svg)', 'button'].map((part) =>
              Math.round(
                card.getBoundingClientRect().bottom -
                  (card.querySelector(part)?.getBoundingClientRect().top ?? NaN),
              ),
            ),
          ),
        );
        for (const distance of distances) expect(distance, `at ${width} px`).toEqual(distances[0]);
      }
    }
  });

  test('is usable by keyboard alone', async ({ page }) => {
    await open(page, '/marketplace');
    await expect(boats(page)).toHaveCount(12);
    await tabTo(page, page.getByLabel('Location'));
    await page.keyboard.type('Kiel');
    await expect(boats(page)).toHaveCount(1);
    await tabTo(page, boat(page, 'Red Rail').getByRole('button', { name: 'View Details' }));
    await page.keyboard.press('Enter');
    await expect(dialog(page, 'Red Rail').getByRole('heading', { name: 'Red Rail' })).toBeFocused();
    await page.keyboard.press('End');
    await expect(dialog(page, 'Red Rail').getByText('Kieler Regatta Werft')).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(boat(page, 'Red Rail').getByRole('button')).toBeFocused();

    await page.getByLabel('Minimum', { exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('999');
    await expect(page.getByRole('heading', { name: 'No boats found' })).toBeVisible();
    await tabTo(page, button(page, 'Clear all').last());
    await page.keyboard.press('Enter');
    await expect(boats(page)).toHaveCount(12);
    await tabTo(page, boat(page, 'Bora').getByRole('button'));
  });

  test('takes dates that are typed', SWEEP, async ({ page }) => {
    await page.clock.setFixedTime(new Date(2026, 6, 1, 12));
    const [from, to] = [page.getByLabel('From'), page.getByLabel('To')];
    await open(page, '/marketplace?search=bora'); // booked from the 20th to the 27th
    await from.fill('2026-07-15');
    await to.fill('2026-07-19');
    await expect(boats(page)).toHaveCount(1);
    await expect(page).toHaveURL(/from=2026-07-15&to=2026-07-19$/);
    await to.fill('2026-07-20');
    await expect(boats(page)).toHaveCount(0);
  });
});

test('the focus stays clear of the head and the foot of a dialog', SWEEP, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await open(page, '/marketplace');
  await button(page, /^Filters/).click();
  const isClear = () =>
    page.evaluate(() => {
      const focused = document.activeElement;
      const { left, top, width, height } = focused?.getBoundingClientRect() ?? new DOMRect();
      return focused?.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let stop = 1; stop <= 20; stop += 1) {
      await page.keyboard.press(key);
      expect(await isClear(), `${key}, ${stop} times`).toBe(true);
    }
  }
});
