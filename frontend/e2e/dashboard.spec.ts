import type { Page } from '@playwright/test';

import { inspectHere } from './inspect';
import { tabTo } from './keyboard';
import { DESKTOP, NARROW, PHONE, visit } from './memberScreen';
import { expect, LANGUAGES, test } from './site';

const WORDS = {
  en: {
    menu: 'Community',
    stats: ['12 trips', '847 miles', '5 races'],
    races: 'Races',
    lost: 'LOST AT SEA?',
    placeholder: /^Share your sailing adventures\.\.\.$/,
    video: 'Video',
    like: 'Like: 24 likes',
    quick: 'Quick actions',
    findCrew: 'Find crew',
    upcoming: 'Upcoming events',
    calendar: 'See the calendar',
    opens: 'This opens when the community launches in 2025.',
    price: /^(\$\d+|Free)$/,
  },
  cs: {
    menu: 'Komunita',
    stats: ['12 plaveb', '847 mil', '5 závodů'],
    races: 'Závody',
    lost: 'ZTRACENI NA MOŘI?',
    placeholder: /^Podělte se o.zážitky z.plavby…$/,
    video: 'Video',
    like: 'Dát lajk: 24 lajků',
    quick: 'Rychlé volby',
    findCrew: 'Najít posádku',
    upcoming: 'Nejbližší akce',
    calendar: 'Otevřít kalendář',
    opens: 'Tato část se otevře, až komunita v roce 2025 vypluje.',
    price: /^(\d+\sUS\$|Zdarma)$/,
  },
};

const main = (page: Page) => page.getByRole('main');

for (const language of LANGUAGES) {
  const words = WORDS[language];
  const opens = (page: Page) => page.getByText(words.opens);

  test(`the dashboard on a desktop (${language}): three columns, each of use`, async ({ page }) => {
    await visit(page, { path: '/dashboard', language, viewport: DESKTOP });
    await expect(main(page).getByRole('list').first().getByRole('listitem')).toHaveText(words.stats);
    await expect(main(page).getByRole('article')).toHaveCount(3);

    await page
      .getByRole('region', { name: words.quick })
      .getByRole('button', { name: words.findCrew })
      .click();
    await expect(opens(page)).toBeVisible();

    const upcoming = page.getByRole('region', { name: words.upcoming });
    await expect(upcoming.getByRole('listitem')).toHaveCount(3);
    await expect(upcoming.getByRole('paragraph').filter({ hasText: words.price })).toHaveCount(3);
    await upcoming.getByRole('link', { name: words.calendar }).click();
    await expect(page).toHaveURL(/\/events$/);
    await page.goBack();

    // It has no route yet.
    await page.getByRole('navigation', { name: words.menu }).getByRole('link', { name: words.races }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.lost);
  });

  test(`the dashboard on a phone (${language}): the posts, and where they begin`, async ({ page }) => {
    await visit(page, { path: '/dashboard', language, viewport: PHONE });
    await page.getByPlaceholder(words.placeholder).click();
    await expect(opens(page)).toBeVisible();
    await expect(main(page).getByRole('article')).toHaveCount(3);
    await expect(page.getByRole('navigation', { name: words.menu })).toBeHidden();
    await expect(page.getByRole('region', { name: words.quick })).toBeHidden();

    // Each row of buttons is one line, as the page's own styles have it: they beat the button's in whatever order they come.
    for (const row of await main(page).getByRole('article').getByRole('list').all()) {
      const boxes = await Promise.all(
        (await row.getByRole('button').all()).map((button) => button.boundingBox()),
      );
      expect(boxes.map((box) => box?.y)).toEqual([boxes[0]?.y, boxes[0]?.y, boxes[0]?.y]);
    }
  });

  test(`the dashboard by keyboard (${language})`, async ({ page }) => {
    await visit(page, { path: '/dashboard', language, viewport: DESKTOP });
    await tabTo(page, page.getByPlaceholder(words.placeholder));
    await expect(opens(page)).toBeHidden();
    await page.keyboard.type('A');
    await expect(opens(page)).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: words.video }));
    await tabTo(page, page.getByRole('button', { name: words.like }));
    await page.keyboard.press('Enter');
    await expect(opens(page)).toBeVisible();
  });

  test(`the dashboard is accessible (${language})`, async ({ page }) => {
    for (const viewport of [NARROW, DESKTOP]) {
      await visit(page, { path: '/dashboard', language, viewport });
      await inspectHere(page);
    }
  });
}

test('the columns at the sides come with the room for them: at 1024 px the left, at 1280 px the right', async ({
  page,
}) => {
  await visit(page, { path: '/dashboard', language: 'en', viewport: DESKTOP });
  const left = page.getByRole('navigation', { name: WORDS.en.menu });
  const right = page.getByRole('region', { name: WORDS.en.quick });
  for (const [width, showsLeft, showsRight] of [
    [1023, false, false],
    [1024, true, false],
    [1279, true, false],
    [1280, true, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(left).toBeVisible({ visible: showsLeft });
    await expect(right).toBeVisible({ visible: showsRight });
  }
});

test('the columns at the sides stay in sight while the posts go by', async ({ page }) => {
  await visit(page, { path: '/dashboard', language: 'en', viewport: { width: 1440, height: 760 } });
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 5000);
  await expect(page.getByRole('navigation', { name: WORDS.en.menu })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: WORDS.en.calendar })).toBeInViewport({ ratio: 1 });
});
