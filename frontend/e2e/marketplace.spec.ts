import type { Page } from '@playwright/test';

import { button, count, DESKTOP, dialog, expect, open, PHONE, SWEEP, tabTo, test } from './site';

test.use({ viewport: DESKTOP });

const boats = (page: Page) => page.getByRole('article');
const boat = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

test('the marketplace searches, filters, sorts and shows a boat, and keeps the choice in the address', async ({
  page,
}) => {
  await open(page, '/marketplace');
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
});

test('the marketplace opens filters and details as sheets on a phone', async ({ page }) => {
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

test('the marketplace lines up its cards under a count on one line, in Czech', SWEEP, async ({ page }) => {
  await open(page, '/marketplace?lang=cs');
  await expect(boats(page)).toHaveCount(12);
  for (const width of [320, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const { height } = (await count(page).boundingBox()) ?? { height: NaN };
    expect(height, `the count is one line at ${width} px`).toBeLessThan(40);
    // Distances to the lower edge, which the cards of a row share.
    const distances = await boats(page).evaluateAll((cards) =>
      cards.map((card) =>
        ['strong', 'p:has(> [aria-hidden] svg)', 'button'].map((part) => {
          const { top = NaN } = card.querySelector(part)?.getBoundingClientRect() ?? {};
          return Math.round(card.getBoundingClientRect().bottom - top);
        }),
      ),
    );
    expect(distances, `at ${width} px`).toEqual(distances.map(() => distances[0]));
  }
});

test('the marketplace is usable by keyboard alone', async ({ page }) => {
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
});
