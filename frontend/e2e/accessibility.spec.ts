import type { Page } from '@playwright/test';

import { enter, keepToken } from './accounts';
import { inspect } from './inspect';
import { linkIn, mailTo } from './mailbox';
import { message, PAGES } from './pages';
import { ADMIN, expect, expectAlive, LANGUAGES, test } from './site';

/** What opens a menu: a dialog over the page, or a popover. */
const MENU_BUTTON = 'header :is(button[aria-haspopup="dialog"], button[popovertarget])';

/** Inspects each menu of the page that there is room for, opened. */
async function inspectMenus(page: Page): Promise<void> {
  const buttons = page.locator(MENU_BUTTON);
  await expect(buttons).not.toHaveCount(0);
  for (const button of await buttons.all()) {
    await expectAlive(button);
    if (!(await button.isVisible())) continue;
    await button.click();
    await expect(page.locator('dialog:modal, :popover-open')).toBeVisible();
    await inspect(page);
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog:modal, :popover-open')).toHaveCount(0);
  }
}

/** States besides the pages as they first stand, and how a visitor comes to each. */
const STATES: Record<string, (page: Page, language: (typeof LANGUAGES)[number]) => Promise<void>> = {
  'newsletter with an error': async (page) => {
    await page.goto('/newsletter');
    await expectAlive(page.locator('form'));
    await page.locator('form button').click();
    await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  },
  'newsletter, the server away': async (page) => {
    await page.route('**/graphql', (route) => route.abort());
    await page.goto('/newsletter');
    await expectAlive(page.locator('form'));
    await page.getByRole('textbox').fill('away@example.org');
    await page.locator('form button').click();
    await expect(page.getByRole('alert')).not.toBeEmpty();
  },
  'the links of a mail': async (page, language) => {
    const address = `axe-${language}@example.org`;
    await page.goto('/newsletter');
    await page.getByRole('textbox').fill(address);
    await page.locator('form button').click();
    await expect(page.locator('form')).toHaveCount(0);
    await inspect(page);
    const mail = await mailTo(address);
    for (const action of ['confirm', 'unsubscribe'] as const) {
      await page.goto(linkIn(mail, action));
      await inspect(page);
      await page.locator('main button').first().click(); // the second is "This was not me"
      await expect(page.getByRole('status')).toBeVisible();
      if (action === 'confirm') await inspect(page);
    }
  },
  'a broken link': async (page) => {
    await page.goto('/newsletter/confirm/broken/');
  },
  'a page that awaits its member': async (page, language) => {
    await keepToken(page, 'on its way');
    await page.route('**/graphql', () => undefined);
    await page.goto('/notifications');
    await expect(page.getByText(message(language, 'memberWait.loading'))).toBeVisible();
  },
  'a page whose member is out of reach': async (page, language) => {
    await keepToken(page, 'kept');
    await page.route('**/graphql', (route) => route.abort());
    await page.goto('/notifications');
    await expect(page.getByText(message(language, 'memberWait.failed'))).toBeVisible();
  },
};

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } });

    test.beforeEach(async ({ context, baseURL }) => {
      await context.addCookies([{ name: 'django_language', value: language, url: baseURL ?? '' }]);
    });

    for (const { path } of PAGES) {
      test(`${path} is accessible, its menus too`, async ({ page }) => {
        await page.goto(path);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page.locator('h1')).toHaveCount(1);
        await inspect(page);
        await inspectMenus(page);
      });
    }

    test('an account without a name is named by its email, accessibly', async ({ page, request }) => {
      await keepToken(page, await enter(request, ADMIN));
      await page.goto('/dashboard');
      const menu = page.getByRole('banner').getByRole('button', { name: ADMIN.email });
      await expect(menu.filter({ visible: true })).toHaveCount(1);
      await expect(page.getByRole('main').getByText(ADMIN.email)).toBeVisible();
      await inspect(page);
      await inspectMenus(page);
      await page.goto('/signin');
      await expect(page.getByRole('main').getByText(ADMIN.email)).toBeVisible();
      await inspect(page);
    });

    for (const [state, arrive] of Object.entries(STATES)) {
      test(`${state} is accessible`, async ({ page }) => {
        await arrive(page, language);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page.locator('h1')).toHaveCount(1);
        await inspect(page);
      });
    }
  });
}
