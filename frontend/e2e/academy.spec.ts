import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';

import { inspectHere } from './inspect';
import { tabTo } from './keyboard';
import { DESKTOP, NARROW, PHONE, visit } from './memberScreen';
import { expect, LANGUAGES, test } from './site';

const WORDS = {
  en: {
    stats: ['3 active courses', '50% average progress', '24h learning time'],
    continuePath: 'Continue Path',
    startPath: 'Start Path',
    continue: 'Continue',
    start: 'Start',
    enroll: 'Enroll - $199',
    preview: 'Preview',
    racing: 'Racing',
    beginner: 'Beginner',
    advanced: 'Advanced',
    courses: 'Courses',
    nine: '9 courses',
    two: '2 courses',
    one: '1 course',
    none: 'No courses found',
    clear: 'Clear Filters',
    opens: 'This opens when the community launches in 2025.',
  },
  cs: {
    stats: ['3 rozdělané kurzy', '50 % průměrný pokrok', '24 h čas u lekcí'],
    continuePath: 'Pokračovat v trase',
    startPath: 'Vyrazit na trasu',
    continue: 'Pokračovat',
    start: 'Začít',
    enroll: 'Zapsat se – 199 US$',
    preview: 'Ukázka',
    racing: 'Závodění',
    beginner: 'Začátečník',
    advanced: 'Pokročilý',
    courses: 'Kurzy',
    nine: '9 kurzů',
    two: '2 kurzy',
    one: '1 kurz',
    none: 'Žádné kurzy nenalezeny',
    clear: 'Zrušit filtry',
    opens: 'Tato část se otevře, až komunita v roce 2025 vypluje.',
  },
};

/** The colours of the progress bars that spec section 4 names, and that of what is left to do. */
const GREY = '#9aa9ba';
const ORANGE = '#e07b12';
const BLUE = '#1b66b8';
const GREEN = '#12805c';
const LINE = '#d5e1ee';

const main = (page: Page) => page.getByRole('main');
const card = (page: Page, title: string) =>
  main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name: title }) });
const titles = (page: Page) =>
  main(page).getByRole('region').last().getByRole('heading', { level: 3 }).allTextContents();
const count = (page: Page) => main(page).getByRole('status');
const chip = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });

for (const language of LANGUAGES) {
  const words = WORDS[language];

  for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`the academy on a ${device} (${language}): figures, paths, courses, filters`, async ({ page }) => {
      await visit(page, { path: '/academy', language, viewport });
      await expect(main(page).getByRole('list').first().getByRole('listitem')).toHaveText(words.stats);

      const [skipper, race] = [
        card(page, 'From Deckhand to Day Skipper'),
        card(page, 'Ready for the Regatta'),
      ];
      await expect(skipper.getByRole('button')).toHaveText(words.continuePath);
      await expect(race.getByRole('button')).toHaveText(words.startPath);

      await expect(card(page, 'Man Overboard').getByRole('button')).toHaveText(words.start);
      await expect(card(page, 'Docking Without Drama').getByRole('button')).toHaveText(words.continue);
      const buttons = card(page, 'Night Passages').getByRole('button');
      await expect(buttons).toHaveText([words.enroll, words.preview]);
      await buttons.first().click();
      await expect(page.getByText(words.opens)).toBeVisible();

      await expect(count(page)).toHaveText(words.nine);
      await chip(page, words.racing).click();
      await expect(count(page)).toHaveText(words.two);
      await chip(page, words.advanced).click();
      await expect(count(page)).toHaveText(words.one);
      expect(await titles(page)).toEqual(['Gennaker Trim']);

      // The filter is in the address: whoever is given it sees the same.
      await page.reload();
      await expect(chip(page, words.racing)).toHaveAttribute('aria-pressed', 'true');
      expect(await titles(page)).toEqual(['Gennaker Trim']);

      await chip(page, words.beginner).click();
      await expect(page.getByText(words.none)).toBeVisible();
      await page.getByRole('button', { name: words.clear }).click();
      await expect(count(page)).toHaveText(words.nine);
    });
  }

  test(`courses beside each other have their buttons in one shape (${language})`, async ({ page }) => {
    for (const width of [NARROW.width, 1024, 1280]) {
      await visit(page, { path: '/academy', language, viewport: { width, height: 900 } });
      const offered = main(page).getByRole('listitem').filter({ hasText: words.preview });
      const shapes = await offered.evaluateAll((cards) =>
        cards.map((card) => {
          const [enroll, preview] = [...card.querySelectorAll('button')].map((button) =>
            button.getBoundingClientRect(),
          );
          return enroll?.top === preview?.top ? 'beside' : 'below';
        }),
      );
      expect(shapes, `at ${width} px`).toEqual(Array(5).fill(shapes[0]));
    }
  });

  test(`the academy by keyboard (${language})`, async ({ page }) => {
    await visit(page, { path: '/academy', language, viewport: DESKTOP });
    await tabTo(page, chip(page, words.racing));
    await page.keyboard.press('Space');
    await tabTo(page, chip(page, words.beginner));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: words.clear }));
    await page.keyboard.press('Enter');
    await expect(main(page).getByRole('heading', { name: words.courses, exact: true })).toBeFocused();
    await tabTo(page, card(page, 'Man Overboard').getByRole('button'));
    await page.keyboard.press('Enter');
    await expect(page.getByText(words.opens)).toBeVisible();
  });

  test(`the academy is accessible (${language}): all courses, and none`, async ({ page }) => {
    for (const viewport of [NARROW, DESKTOP]) {
      await visit(page, { path: '/academy', language, viewport });
      await inspectHere(page);
      await visit(page, { path: '/academy?category=racing&level=beginner', language, viewport });
      await expect(page.getByText(words.none)).toBeVisible();
      await inspectHere(page);
    }
  });
}

/** What is painted at the beginning and at the end of a bar, inside its round ends. */
async function paintOf(bar: Locator): Promise<string[]> {
  const { data, info } = await sharp(await bar.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const middle = Math.floor(info.height / 2) * info.width;
  return [info.height, info.width - info.height].map((left) => {
    const pixel = (middle + left) * info.channels;
    return `#${data.toString('hex', pixel, pixel + info.channels)}`;
  });
}

test('a progress is grey at 0, orange below 50, blue below 100, green at 100', async ({ page }) => {
  await visit(page, { path: '/academy', language: 'en', viewport: DESKTOP });
  for (const [title, colours] of [
    ['Man Overboard', [GREY, GREY]],
    ['Chart, Compass, Course', [ORANGE, LINE]],
    ['Docking Without Drama', [BLUE, LINE]],
    ['Your First Day Afloat', [GREEN, GREEN]],
  ] as const) {
    expect(await paintOf(card(page, title).getByRole('progressbar')), title).toEqual(colours);
  }
});
