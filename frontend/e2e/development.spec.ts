import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Locator, Page } from '@playwright/test';

import { becomeMember, userMenu } from './accounts';
import { OVERLAY } from './inspect';
import { ROUTES } from './pages';
import { DESKTOP, expect, open, PHONE, SWEEP, test } from './site';

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

const OPENER = 'button:is([aria-haspopup="dialog"], [popovertarget])';

/** Expect that a button opens a dialog or menu over `below` others, which does not close by itself; return it. */
async function expectToOpen(page: Page, opener: Locator, below = 0): Promise<Locator> {
  const overlays = page.locator(OVERLAY);
  await opener.click();
  await expect(overlays).toHaveCount(below + 1);
  await overlays.last().hover({ trial: true }); // waits until it is stable
  return overlays.last();
}

async function expectToClose(page: Page, below = 0): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.locator(OVERLAY)).toHaveCount(below);
}

/** Press one button of each kind in a part of each page, and in what it opens. */
async function openEach(page: Page, part: Locator, opened: Set<string>): Promise<void> {
  const below = await page.locator(OVERLAY).count();
  for (const opener of await part.locator(OPENER).filter({ visible: true }).all()) {
    const { pathname } = new URL(page.url());
    const kind = `${await opener.getAttribute('class')} of ${pathname} at ${page.viewportSize()?.width} px`;
    if (opened.has(kind)) continue;
    opened.add(kind);
    await test.step(kind, async () => {
      await openEach(page, await expectToOpen(page, opener, below), opened);
      await expectToClose(page, below);
    });
  }
}

test('the dialogs and menus of public pages stay open', SWEEP, async ({ page }) => {
  const opened = new Set<string>();
  await page.clock.setFixedTime(new Date(2026, 6, 15, 12));
  for (const { path } of ROUTES.filter(({ access }) => access === 'public')) {
    await test.step(path, async () => {
      await page.setViewportSize(DESKTOP);
      await open(page, path);
      await openEach(page, page.locator('body'), opened);
      await page.setViewportSize(PHONE);
      await openEach(page, page.locator('body'), opened);
    });
  }
  expect(opened.size).toBeGreaterThan(10);
});

test('the forms of public pages refuse to be empty', SWEEP, async ({ page }) => {
  for (const path of ['/newsletter', '/signup', '/signin', '/forgot-password']) {
    await open(page, path);
    await page.locator('main form button[type=submit]').click();
    await expect(page.locator('main form [aria-invalid=true]').first()).toBeFocused();
  }
});

test('the legal documents stay open', SWEEP, async ({ page }) => {
  await open(page, '/newsletter');
  for (const name of ['privacy', 'terms']) {
    await expectToOpen(page, page.locator(`footer a[href="#${name}"]`));
    await expectToClose(page);
  }
});

test('the menus, dialogs and forms of a member open', SWEEP, async ({ page }) => {
  const main = page.getByRole('main');
  const { account } = await becomeMember(page);
  await page.setViewportSize(DESKTOP);
  await open(page, '/profile');
  await expectToOpen(page, userMenu(page, account));
  await expectToClose(page);
  await expect(main.locator(OPENER)).toHaveCount(5);
  for (const opener of await main.locator(OPENER).all()) {
    await expectToOpen(page, opener);
    await expectToClose(page);
  }
  await main.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(main.getByLabel('First name')).toBeVisible();
  for (const path of ['/dashboard', '/notifications']) {
    await open(page, path);
    await expect(userMenu(page, account)).toBeVisible();
  }
  await page.setViewportSize(PHONE);
  await openEach(page, page.getByRole('banner'), new Set());
});
