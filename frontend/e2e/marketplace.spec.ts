import type { Locator, Page, Route } from '@playwright/test';

import { chunk } from './chunks';
import { inspectHere } from './inspect';
import { tabTo } from './keyboard';
import { DESKTOP, NARROW, PHONE, visit } from './memberScreen';
import { expect, LANGUAGES, test } from './site';

const WORDS = {
  en: {
    search: 'Search boats',
    sort: 'Sort by',
    filters: 'Filters',
    location: 'Location',
    type: 'Catamaran',
    minimum: 'Minimum',
    from: 'From',
    to: 'To',
    clearAll: 'Clear all',
    details: 'View Details',
    unavailable: 'Unavailable',
    notAvailable: 'Not Available',
    none: 'No boats found',
    all: '10 boats available and 2 not available',
    two: '2 boats available',
    one: '1 boat available',
    show: 'Show 2 boats',
    price: '$520 per day',
    reversed: 'The end of the period lies before its beginning.',
  },
  cs: {
    search: 'Hledat lodě',
    sort: 'Řadit podle',
    filters: 'Filtry',
    location: 'Místo',
    type: 'Katamarán',
    minimum: 'Nejméně',
    from: 'Od',
    to: 'Do',
    clearAll: 'Vymazat vše',
    details: 'Podrobnosti',
    unavailable: 'Nedostupná',
    notAvailable: 'Není k dispozici',
    none: 'Žádné lodě jsme nenašli',
    all: '10 lodí k dispozici a 2 nedostupné',
    two: '2 lodě k dispozici',
    one: '1 loď k dispozici',
    show: 'Zobrazit 2 lodě',
    price: '520 US$ za den',
    reversed: 'Konec pronájmu je dřív než jeho začátek.',
  },
};

const boats = (page: Page) => page.getByRole('article');
const boat = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const count = (page: Page) => page.getByRole('status').first();
const sizeOf = (element: Locator) =>
  element.evaluate(({ clientWidth, clientHeight }) => ({ width: clientWidth, height: clientHeight }));

for (const language of LANGUAGES) {
  const words = WORDS[language];

  test.describe(`the marketplace (${language})`, () => {
    test.beforeEach(async ({ page, context, baseURL }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await context.addCookies([{ name: 'django_language', value: language, url: baseURL ?? '' }]);
    });

    test('on a desktop: search, filter, sort, look, share, go back', async ({ page }) => {
      await page.setViewportSize(DESKTOP);
      await page.goto('/marketplace');
      await expect(count(page)).toHaveText(words.all);
      await expect(boats(page)).toHaveCount(12);

      await page.getByLabel(words.search).fill('SIBENIK');
      await expect(count(page)).toHaveText(words.one);
      await expect(page).toHaveURL(/\?q=SIBENIK$/);
      await page.getByLabel(words.search).fill('');
      await expect(page).toHaveURL(/\/marketplace$/);

      await page.getByRole('button', { name: words.type, exact: true }).click();
      await page.getByLabel(words.sort).selectOption('price-low');
      await expect(count(page)).toHaveText(words.two);
      await expect(boats(page).first()).toHaveAccessibleName('Maestral');
      await expect(boats(page).first()).toContainText(words.price);
      await expect(page).toHaveURL(/\?type=catamaran&sort=price-low$/);

      // Anywhere on the card: on its picture, among its words, and on its lower edge.
      for (const down of [0.2, 0.6, 0.98]) {
        const { width, height } = await sizeOf(boat(page, 'Maestral'));
        await boat(page, 'Maestral').click({ position: { x: width / 3, y: height * down } });
        await expect(page.getByRole('dialog', { name: 'Maestral' })).toContainText('Snorkelling gear');
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(boat(page, 'Maestral').getByRole('button')).toBeFocused();
      }

      await page.reload();
      await expect(boats(page)).toHaveCount(2);
      await expect(page.getByLabel(words.sort)).toHaveValue('price-low');
      await page.goBack();
      await expect(page).toHaveURL(/\?type=catamaran$/);
      await expect(boats(page).first()).toHaveAccessibleName('Thalassa');
      await page.goBack();
      await expect(boats(page)).toHaveCount(12);
      await page.goForward();
      await expect(boats(page)).toHaveCount(2);
    });

    test('on a phone: the filters are a sheet, the details another', async ({ page }) => {
      await page.setViewportSize(PHONE);
      await page.goto('/marketplace');
      await page.getByRole('button', { name: words.filters }).click();
      const sheet = page.getByRole('dialog', { name: words.filters });
      await sheet.getByRole('button', { name: words.type, exact: true }).click();
      await sheet.getByRole('button', { name: words.show }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(count(page)).toHaveText(words.two);
      await boat(page, 'Thalassa').getByRole('button', { name: words.details }).click();
      await expect(page.getByRole('dialog', { name: 'Thalassa' })).toBeVisible();
      // A press beside the sheet, above it.
      await page.mouse.click(200, 10);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    test('boats beside each other have their prices, ratings and buttons on one line', async ({ page }) => {
      for (const width of [320, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto('/marketplace');
        await expect(boats(page)).toHaveCount(12);
        const places = await boats(page).evaluateAll((cards) =>
          cards.map((card) =>
            // Seen from the lower edge, which the cards of a row share.
            ['strong', 'p:has(> [aria-hidden] svg)', 'button'].map((part) =>
              Math.round(
                card.getBoundingClientRect().bottom -
                  (card.querySelector(part)?.getBoundingClientRect().top ?? NaN),
              ),
            ),
          ),
        );
        for (const place of places) expect(place, `at ${width} px`).toEqual(places[0]);
      }
    });

    test('a boat that cannot be had', async ({ page }) => {
      await page.goto('/marketplace?q=fulmar');
      await expect(boat(page, 'Fulmar')).toContainText(words.notAvailable);
      await expect(boat(page, 'Fulmar').getByRole('button', { name: words.unavailable })).toBeDisabled();
    });

    for (const [device, size] of Object.entries({
      desktop: DESKTOP,
      phone: PHONE,
      'small phone': NARROW,
    })) {
      test(`every state is accessible (${device})`, async ({ page }) => {
        await page.setViewportSize(size);
        await page.goto('/marketplace');
        await expect(boats(page)).toHaveCount(12);
        await inspectHere(page);

        await boat(page, 'Bora').getByRole('button').click();
        await expect(page.getByRole('dialog', { name: 'Bora' })).toBeVisible();
        await inspectHere(page);

        await page.goto('/marketplace?q=zeppelin');
        await expect(page.getByRole('heading', { name: words.none })).toBeVisible();
        await inspectHere(page);

        await page.goto('/marketplace?min=500&max=100&from=2099-05-09&to=2099-05-02');
        if (device !== 'desktop') await page.getByRole('button', { name: words.filters }).click();
        await expect(page.getByText(words.reversed)).toBeVisible();
        await inspectHere(page);
      });
    }
  });
}

test('all by keyboard: filter, open the details, close them, clear', async ({ page }) => {
  const words = WORDS.en;
  await page.setViewportSize(DESKTOP);
  await page.goto('/marketplace');
  await expect(boats(page)).toHaveCount(12);

  await tabTo(page, page.getByLabel(words.location));
  await page.keyboard.type('Kiel');
  await expect(boats(page)).toHaveCount(1);
  await tabTo(page, boat(page, 'Red Rail').getByRole('button', { name: words.details }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Red Rail' });
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  // It scrolls by keys, with the focus in it.
  await page.keyboard.press('End');
  await expect(dialog.getByText('Kieler Regatta Werft')).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(boat(page, 'Red Rail').getByRole('button')).toBeFocused();

  await page.getByLabel(words.minimum, { exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('999');
  await expect(page.getByRole('heading', { name: words.none })).toBeVisible();
  await tabTo(page, page.getByRole('main').getByRole('button', { name: words.clearAll }).last());
  await page.keyboard.press('Enter');
  await expect(boats(page)).toHaveCount(12);
  await tabTo(page, boat(page, 'Bora').getByRole('button'));
});

test('a rental period finds the boats that are free on its days', async ({ page }) => {
  await page.clock.setFixedTime(new Date(2026, 6, 1, 12));
  await page.setViewportSize(DESKTOP);
  await page.goto('/marketplace?q=bora');
  // Bora is booked from the 20th to the 27th of the month.
  await page.getByLabel('From').fill('2026-07-15');
  await page.getByLabel('To').fill('2026-07-19');
  await expect(boats(page)).toHaveCount(1);
  await expect(page).toHaveURL(/from=2026-07-15&to=2026-07-19$/);
  await page.getByLabel('To').fill('2026-07-20');
  await expect(boats(page)).toHaveCount(0);
});

test('a date that is being typed is no mistake before its field is left', async ({ page }) => {
  await page.clock.setFixedTime(new Date(2026, 6, 1, 12));
  await page.setViewportSize(DESKTOP);
  await page.goto('/marketplace');
  const from = page.getByLabel('From');
  await from.focus();
  await page.keyboard.type('0715202');
  await expect(from).toHaveValue('0202-07-15');
  // Whoever pauses here goes on where they were.
  await expect(page).toHaveURL(/from=0202-07-15$/);
  await expect(from).not.toHaveAttribute('aria-invalid');
  await page.keyboard.type('0');
  await expect(from).toHaveValue('2020-07-15');
  await page.getByLabel('To').focus();
  await expect(from).toHaveAccessibleDescription('This day has already passed.');
});

test('words still in the search field when a link is followed do not lead back', async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await page.goto('/marketplace');
  await page.getByLabel('Search boats').fill('bora');
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/marketplace\?q=bora$/);
  await expect(boats(page)).toHaveCount(1);
});

test('nor do they write over the page before, while its code is on its way', async ({ page }) => {
  await page.clock.install();
  await visit(page, { path: '/dashboard', language: 'en', viewport: DESKTOP });
  await page.getByRole('banner').getByRole('link', { name: 'Marketplace' }).click();
  await expect(boats(page)).toHaveCount(12);
  await page.reload();
  await expect(boats(page)).toHaveCount(12);

  const held: Route[] = [];
  await page.route(`**${chunk('page-dashboard')}`, (route) => void held.push(route));
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await page.getByLabel('Search boats').fill('bora');
  await page.goBack();
  await expect.poll(() => held.length).toBe(1);
  await page.clock.runFor(1000);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.clock.resume();
  await Promise.all(held.map((route) => route.continue()));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today on deck');
  await expect(page).toHaveURL(/\/dashboard$/);
});
