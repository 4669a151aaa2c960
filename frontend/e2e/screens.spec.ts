import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';

import { becomeMember } from './accounts';
import {
  button,
  count,
  DESKTOP,
  dialog,
  expect,
  main,
  MOTION,
  NARROW,
  open,
  PHONE,
  SWEEP,
  test,
} from './site';

/** Half past noon of Wednesday, July 15 in Kiritimati; a day before in UTC. */
const VISIT = new Date('2026-07-14T22:30:00Z');

test.use({ viewport: DESKTOP });

/** The list item with this heading. */
const item = (page: Page, name: string | RegExp) =>
  main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name }) });

test('the dashboard has three columns, of which a narrow window shows fewer', SWEEP, async ({ page }) => {
  await becomeMember(page);
  await open(page, '/dashboard');
  const left = page.getByRole('navigation', { name: 'Community' });
  const right = page.getByRole('region', { name: 'Quick actions' });
  const calendar = main(page).getByRole('link', { name: 'See the calendar' });

  await test.step('the outer columns stay in sight', async () => {
    await page.setViewportSize({ width: 1440, height: 760 });
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, 5000);
    await expect(left).toBeInViewport({ ratio: 1 });
    await expect(calendar).toBeInViewport({ ratio: 1 });
  });
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
  await page.setViewportSize(PHONE);
  for (const row of await main(page).getByRole('article').getByRole('list').all()) {
    const tops = await row
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((element) => element.getBoundingClientRect().top));
    expect(tops, 'the actions of a post are one line').toEqual([tops[0], tops[0], tops[0]]);
  }
});

test('a notification is read by a click anywhere on its entry', SWEEP, async ({ page }) => {
  await becomeMember(page);
  await page.setViewportSize(PHONE);
  await open(page, '/notifications');
  await expect(count(page)).toHaveText('3 unread notifications');
  await item(page, 'New comment').click({ position: { x: 8, y: 8 } });
  await expect(count(page)).toHaveText('2 unread notifications');
});

test.describe('the academy', () => {
  /** The colors of the progress bars (spec section 4), and of what is left to do. */
  const [GREY, ORANGE, BLUE, GREEN, REST] = ['#9aa9ba', '#e07b12', '#1b66b8', '#12805c', '#d5e1ee'];

  /** Return the colors at the start and at the end of a bar, within its round ends. */
  async function paintOf(bar: Locator): Promise<string[]> {
    const { data, info } = await sharp(await bar.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const middle = Math.floor(info.height / 2) * info.width;
    return [Math.floor(info.height / 2), info.width - info.height].map((left) => {
      const pixel = (middle + left) * info.channels;
      return `#${data.toString('hex', pixel, pixel + info.channels)}`;
    });
  }

  test('lays out its cards alike and colors progress by its value', SWEEP, async ({ page }) => {
    await open(page, '/academy?lang=cs');
    const offered = item(page, /./).filter({ has: page.getByRole('button', { name: /^Zapsat/ }) });
    for (const width of [NARROW.width, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const areBeside = await offered.evaluateAll((cards) =>
        cards.map((card) => {
          const [enroll, preview] = card.querySelectorAll('button');
          return enroll?.getBoundingClientRect().top === preview?.getBoundingClientRect().top;
        }),
      );
      expect(areBeside, `at ${width} px`).toEqual(Array(5).fill(areBeside[0]));
    }
    await open(page, '/academy?lang=en');
    for (const [title, colors] of [
      ['Man Overboard', [GREY, REST]],
      ['Chart, Compass, Course', [ORANGE, REST]],
      ['Docking Without Drama', [BLUE, REST]],
      ['Your First Day Afloat', [GREEN, GREEN]],
    ] as const) {
      expect(await paintOf(item(page, title).getByRole('progressbar')), title).toEqual(colors);
    }
  });
});

test('the calendar on paper is its content alone', async ({ page }) => {
  await open(page, '/events');
  await page.emulateMedia({ media: 'print' });
  await expect(main(page).getByRole('article').first()).toBeVisible();
  for (const role of ['banner', 'contentinfo', 'navigation'] as const)
    await expect(page.getByRole(role)).toHaveCount(0);
  await expect(button(page, /^(Create Event|Today)$/)).toHaveCount(0);
});

test.describe('the events calendar', () => {
  // With motion, as most visitors have it: dialogs and toasts move.
  test.use({ ...MOTION, timezoneId: 'Pacific/Kiritimati' });

  const calendar = (page: Page) => page.getByRole('table');
  const upcoming = (page: Page) => page.getByRole('complementary').getByRole('article');
  const busyDay = 'Tuesday, July 14';

  test.beforeEach(({ page }) => page.clock.setFixedTime(VISIT));

  test('shows a month, an event and a full day, and Back leaves it', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 }); // where the columns are narrowest
    await open(page, '/newsletter');
    await open(page, '/events');
    await expect(calendar(page)).toHaveAccessibleName('Events calendar, July 2026');
    await expect(calendar(page).locator('[aria-current=date]')).toHaveText(/15/);
    await expect(count(page)).toHaveText('July 2026: 15 events');
    await expect(upcoming(page)).toHaveCount(5);
    const cutTitles = await calendar(page)
      .locator('[data-type] > :first-child')
      .evaluateAll((titles) =>
        titles
          .filter((title) => title.scrollWidth > title.clientWidth || title.scrollHeight > title.clientHeight)
          .map(({ textContent }) => textContent),
      );
    expect(cutTitles).toEqual([]);

    await button(page, /^Round the Island, /).click();
    for (const fact of ['Wednesday, July 22, 2026', /7:00.AM.–.7:00.PM/, '$125'])
      await expect(dialog(page, 'Round the Island')).toContainText(fact);
    await page.keyboard.press('Escape');

    await button(page, /^\+2 more/).click();
    await expect(dialog(page, busyDay).getByRole('article')).toHaveCount(5);
    await dialog(page, busyDay).getByRole('button', { name: 'Mussels on the Quay' }).click();
    await expect(dialog(page, 'Mussels on the Quay')).toBeVisible();
    await page.mouse.click(10, 450); // beside it: closes the upper dialog only
    await expect(dialog(page, 'Mussels on the Quay')).toHaveCount(0);
    await expect(dialog(page, busyDay)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(button(page, /^\+2 more/)).toBeFocused();

    await button(page, 'Races').click();
    await expect(count(page)).toHaveText('July 2026: 3 events');
    await expect(upcoming(page)).toHaveCount(4);
    await button(page, 'Next month').click();
    await expect(page).toHaveURL(/\/events\?month=2026-08&type=race$/);
    await page.reload();
    await expect(calendar(page)).toHaveAccessibleName('Events calendar, August 2026');
    await button(page, 'Today').click();
    await expect(calendar(page)).toHaveAccessibleName('Events calendar, July 2026');
    await expect(page).toHaveURL(/\/events\?type=race$/);
    await page.goBack();
    await expect(page).toHaveURL('/newsletter');
  });

  test('shows a strip of days and their events on a phone', async ({ page }) => {
    await page.setViewportSize(PHONE);
    await open(page, '/events');
    const strip = page.getByRole('list', { name: 'Days of July 2026' });
    const days = main(page).getByRole('heading', { level: 3 });
    const today = strip.locator('[aria-current=date]');
    await expect(calendar(page)).toHaveCount(0);
    await expect(today).toBeInViewport({ ratio: 1 });
    await expect(days.first()).toHaveText('Friday, July 17');
    await strip.getByRole('button', { name: busyDay }).click();
    await expect(days.first()).toHaveText(busyDay);
    await button(page, /^\+2 more/).click();
    await expect(dialog(page, busyDay).getByRole('article')).toHaveCount(5);
    await page.keyboard.press('Escape');
    const lastDay = strip.getByRole('button', { name: /^Friday, July 31/ });
    await lastDay.click();
    await expect(days).toHaveCount(0);
    await button(page, 'Today').click();
    await expect(today).toBeInViewport({ ratio: 1 });
    await expect(days.first()).toHaveText('Friday, July 17');
    await lastDay.click();
    await button(page, 'Show next month').click();
    await expect(page.getByRole('heading', { name: 'August 2026' })).toBeFocused();
    await expect(days).toHaveCount(7);
  });
});
