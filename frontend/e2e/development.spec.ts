import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Locator, Page } from '@playwright/test';

import { becomeMember, userMenu } from './accounts';
import { OVERLAY } from './inspect';
import { ROUTES } from './pages';
import { DESKTOP, expect, main, open, PHONE, SWEEP, test } from './site';

/*
 * The development build, in which StrictMode runs effects twice and React reports mistakes. `test` fails when the console
 * has an error.
 */

test.describe.configure({ mode: 'default' }); // one build for all tests

test.beforeAll(async () => {
  const options = '--config frontend/webpack.config.js --mode=development --no-devtool';
  const output = '--output-path=.cache/development/app';
  await promisify(execFile)('node_modules/.bin/webpack', [...options.split(' '), output]);
});

const OPENER = 'button:is([aria-haspopup="dialog"], [popovertarget]), footer a[href^="#"]';

/** Press one button of each kind in a part of each page, and in what it opens, which stays open until Escape. */
async function openEach(page: Page, part: Locator, opened: Set<string>): Promise<void> {
  const overlays = page.locator(OVERLAY);
  const below = await overlays.count();
  for (const opener of await part.locator(OPENER).filter({ visible: true }).all()) {
    const what = (await opener.getAttribute('href')) ?? (await opener.getAttribute('class'));
    const kind = `${what} of ${new URL(page.url()).pathname} at ${page.viewportSize()?.width} px`;
    if (opened.has(kind)) continue;
    opened.add(kind);
    await test.step(kind, async () => {
      await opener.click();
      await expect(overlays).toHaveCount(below + 1);
      await overlays.last().hover({ trial: true }); // waits until it is stable
      await openEach(page, overlays.last(), opened);
      await page.keyboard.press('Escape');
      await expect(overlays).toHaveCount(below);
    });
  }
}

for (const access of ['public', 'member']) {
  test(
    `the dialogs, menus and forms of ${access} pages open, and refuse to be empty`,
    SWEEP,
    async ({ page }) => {
      test.slow();
      const opened = new Set<string>();
      await page.clock.setFixedTime(new Date(2026, 6, 15, 12));
      const member = access === 'member' ? await becomeMember(page) : undefined;
      for (const { path } of ROUTES.filter((route) => route.access === access)) {
        await test.step(path, async () => {
          for (const viewport of [DESKTOP, PHONE]) {
            await page.setViewportSize(viewport);
            await open(page, path);
            if (member && viewport === DESKTOP) await expect(userMenu(page, member.account)).toBeVisible();
            await openEach(page, page.locator('body'), opened);
          }
          const submit = main(page).locator('form button[type=submit]');
          if ((await submit.count()) === 0) return;
          await submit.click();
          await expect(main(page).locator('form [aria-invalid=true]').first()).toBeFocused();
        });
      }
      expect(opened.size).toBeGreaterThan(10);
      if (!member) return;
      await open(page, '/profile');
      await main(page).getByRole('button', { name: 'Edit Profile' }).click();
      await expect(main(page).getByLabel('First name')).toBeVisible();
    },
  );
}
