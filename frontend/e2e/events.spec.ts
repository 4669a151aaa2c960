import type { Page } from '@playwright/test';

import { inspectHere } from './inspect';
import { tabTo } from './keyboard';
import { DESKTOP, NARROW, PHONE, TABLET } from './memberScreen';
import { expect, LANGUAGES, test } from './site';

const WORDS = {
  en: {
    july: 'Events calendar, July 2026',
    august: 'Events calendar, August 2026',
    firstWeekday: 'Sunday',
    next: 'Next month',
    today: 'Today',
    races: 'Races',
    fifteen: 'July 2026: 15 events',
    three: 'July 2026: 3 events',
    days: 'Days of July 2026',
    busyDay: 'Tuesday, July 14',
    lastDay: /^Friday, July 31/,
    more: /^\+2 more/,
    nextDay: 'Friday, July 17',
    showNext: 'Show next month',
    augustHeading: 'August 2026',
    none: 'January 2030: No events',
    create: 'Create Event',
    opens: 'This opens when the community launches',
    fullDay: 'Wednesday, July 22, 2026',
    hours: /7:00.AM.–.7:00.PM/,
    price: '$125',
    places: '118 sailors, 32 places left',
  },
  cs: {
    july: 'Kalendář akcí, červenec 2026',
    august: 'Kalendář akcí, srpen 2026',
    firstWeekday: 'pondělí',
    next: 'Následující měsíc',
    today: 'Dnes',
    races: 'Závody',
    fifteen: 'červenec 2026: 15 akcí',
    three: 'červenec 2026: 3 akce',
    days: 'Dny měsíce: červenec 2026',
    busyDay: 'úterý 14. července',
    lastDay: /^pátek 31. července/,
    more: /^\+2 další/,
    nextDay: 'pátek 17. července',
    showNext: 'Zobrazit další měsíc',
    augustHeading: 'srpen 2026',
    none: 'leden 2030: Žádné akce',
    create: 'Vytvořit akci',
    opens: 'Tato část se otevře',
    fullDay: 'středa 22. července 2026',
    hours: /7:00–19:00/,
    price: '125 US$',
    places: '118 jachtařů, zbývá 32 míst',
  },
};

/** Noon of a Wednesday. */
const VISIT = new Date(2026, 6, 15, 12);

const calendar = (page: Page) => page.getByRole('table');
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const upcoming = (page: Page) => page.getByRole('complementary').getByRole('article');
const count = (page: Page) => page.getByRole('main').getByRole('status');

for (const language of LANGUAGES) {
  const words = WORDS[language];

  test.describe(`the events (${language})`, () => {
    test.beforeEach(async ({ page, context, baseURL }) => {
      await page.clock.setFixedTime(VISIT);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await context.addCookies([{ name: 'django_language', value: language, url: baseURL ?? '' }]);
    });

    test('on a desktop: a month as a table, its pages, a type, an event, a full day', async ({ page }) => {
      await page.setViewportSize(DESKTOP);
      await page.goto('/events');
      await expect(calendar(page)).toHaveAccessibleName(words.july);
      await expect(calendar(page).getByRole('columnheader').first()).toHaveAccessibleName(words.firstWeekday);
      await expect(calendar(page).locator('[aria-current=date]')).toHaveText(/15/);
      await expect(count(page)).toHaveText(words.fifteen);
      await expect(upcoming(page)).toHaveCount(5);

      await button(page, /^Round the Island, /).click();
      const details = dialog(page, 'Round the Island');
      for (const fact of [
        words.fullDay,
        words.hours,
        words.price,
        words.places,
        'Island Racing Association',
      ]) {
        await expect(details).toContainText(fact);
      }
      await page.keyboard.press('Escape');

      await button(page, words.more).click();
      await expect(dialog(page, words.busyDay).getByRole('article')).toHaveCount(5);
      await dialog(page, words.busyDay).getByRole('button', { name: 'Mussels on the Quay' }).click();
      await expect(dialog(page, 'Mussels on the Quay')).toBeVisible();
      // A press beside it closes the upper one alone.
      await page.mouse.click(10, 450);
      await expect(dialog(page, 'Mussels on the Quay')).toHaveCount(0);
      await expect(dialog(page, words.busyDay)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(button(page, words.more)).toBeFocused();

      await button(page, words.races).click();
      await expect(count(page)).toHaveText(words.three);
      await expect(upcoming(page)).toHaveCount(4);
      await button(page, words.next).click();
      await expect(calendar(page)).toHaveAccessibleName(words.august);
      await expect(page).toHaveURL(/\/events\?month=2026-08&type=race$/);
      await page.reload();
      await expect(calendar(page)).toHaveAccessibleName(words.august);
      await button(page, words.today).click();
      await expect(calendar(page)).toHaveAccessibleName(words.july);
      await expect(page).toHaveURL(/\/events\?type=race$/);

      await button(page, words.create).click();
      await expect(page.getByText(words.opens)).toBeVisible();
    });

    test('on a phone: a strip of the days, and the days with their events', async ({ page }) => {
      await page.setViewportSize(PHONE);
      await page.goto('/events');
      const strip = page.getByRole('list', { name: words.days });
      const listed = page.getByRole('main').getByRole('heading', { level: 3 });
      await expect(calendar(page)).toHaveCount(0);
      await expect(strip.locator('[aria-current=date]')).toBeInViewport({ ratio: 1 });
      await expect(listed.first()).toHaveText(words.nextDay);

      await strip.getByRole('button', { name: words.busyDay }).click();
      await expect(listed.first()).toHaveText(words.busyDay);
      await button(page, words.more).click();
      await expect(dialog(page, words.busyDay).getByRole('article')).toHaveCount(5);
      await page.keyboard.press('Escape');

      await strip.getByRole('button', { name: words.lastDay }).click();
      await expect(listed).toHaveCount(0);
      await button(page, words.today).click();
      await expect(strip.locator('[aria-current=date]')).toBeInViewport({ ratio: 1 });
      await expect(listed.first()).toHaveText(words.nextDay);

      await strip.getByRole('button', { name: words.lastDay }).click();
      await button(page, words.showNext).click();
      await expect(page.getByRole('heading', { name: words.augustHeading })).toBeFocused();
      await expect(listed).toHaveCount(7);
    });

    for (const [device, viewport] of Object.entries({
      'a desktop': DESKTOP,
      'a tablet': TABLET,
      'a small phone': NARROW,
    })) {
      test(`every state is accessible on ${device}`, async ({ page }) => {
        await page.setViewportSize(viewport);
        await page.goto('/events');
        await expect(count(page)).toHaveText(words.fifteen);
        if (viewport.width < 768) {
          await button(page, new RegExp(`^${words.busyDay}`, 'i')).click();
        }
        await expect(button(page, words.more)).toBeVisible();
        await inspectHere(page);

        await button(page, words.more).click();
        await expect(dialog(page, words.busyDay)).toBeVisible();
        await inspectHere(page);
        await dialog(page, words.busyDay).getByRole('button', { name: 'Flag Breakfast' }).click();
        await expect(dialog(page, 'Flag Breakfast')).toBeVisible();
        await inspectHere(page);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');

        await button(page, words.races).click();
        await expect(count(page)).toHaveText(words.three);
        await inspectHere(page);
        await page.goto('/events?month=2030-01');
        await expect(count(page)).toHaveText(words.none);
        await inspectHere(page);
      });
    }
  });
}

test('all by keyboard: a type, a page, an event, a full day', async ({ page }) => {
  await page.clock.setFixedTime(VISIT);
  await page.setViewportSize(DESKTOP);
  await page.goto('/events');
  await expect(count(page)).toHaveText(WORDS.en.fifteen);

  await tabTo(page, button(page, /^Training$/));
  await page.keyboard.press('Enter');
  await expect(count(page)).toHaveText('July 2026: 4 events');
  await tabTo(page, button(page, 'Next month'));
  await page.keyboard.press('Space');
  await expect(calendar(page)).toHaveAccessibleName(WORDS.en.august);
  await tabTo(page, button(page, /^Radio Evening, /));
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Radio Evening').getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(page, /^Radio Evening, /)).toBeFocused();

  await page.goto('/events');
  await tabTo(page, button(page, WORDS.en.more));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog(page, WORDS.en.busyDay).getByRole('button', { name: 'Mussels on the Quay' }));
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Mussels on the Quay')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(
    dialog(page, WORDS.en.busyDay).getByRole('button', { name: 'Mussels on the Quay' }),
  ).toBeFocused();
});

test('Back leaves the calendar, whatever pages it was turned to', async ({ page }) => {
  await page.clock.setFixedTime(VISIT);
  await page.goto('/');
  await page.goto('/events');
  await button(page, 'Next month').click();
  await button(page, 'Races').click();
  await expect(page).toHaveURL(/month=2026-08&type=race$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
  test.describe(`the clock of ${timezoneId}`, () => {
    test.use({ timezoneId });

    test('a day and its hours are the same in every time zone; today is that of the visitor', async ({
      page,
    }) => {
      // There it is the 16th already, or the 14th still.
      await page.clock.setFixedTime('2026-07-15T10:30:00Z');
      await page.setViewportSize(DESKTOP);
      await page.goto('/events');
      const today = timezoneId === 'Pacific/Kiritimati' ? 'Thursday, July 16' : 'Tuesday, July 14';
      await expect(calendar(page).locator('[aria-current=date]')).toContainText(today);
      await button(page, /^Round the Island, /).click();
      await expect(dialog(page, 'Round the Island')).toContainText(WORDS.en.fullDay);
      await expect(dialog(page, 'Round the Island')).toContainText(WORDS.en.hours);
    });
  });
}
