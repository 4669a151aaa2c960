import type { Page } from '@playwright/test';

import { inspect } from './inspect';
import { linkIn, mailTo } from './mailbox';
import { expect, LANGUAGES, test } from './site';

/** Every page and state that a visitor can come to, and how. */
const STATES: Record<string, (page: Page, language: string) => Promise<void>> = {
  crossroad: async (page) => {
    await page.goto('/');
  },
  'the menu': async (page) => {
    await page.goto('/');
    await page.locator('header button[aria-haspopup]').click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  newsletter: async (page) => {
    await page.goto('/newsletter');
  },
  'newsletter with an error': async (page) => {
    await page.goto('/newsletter');
    await page.locator('form button').click();
    await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  },
  'newsletter, the server away': async (page) => {
    await page.route('**/graphql', (route) => route.abort());
    await page.goto('/newsletter');
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
      await page.locator('main button').click();
      await expect(page.locator('main button')).toHaveCount(0);
      if (action === 'confirm') await inspect(page);
    }
  },
  landing: async (page) => {
    await page.goto('/landing');
  },
  'landing for sailors': async (page) => {
    await page.goto('/landing-sailors');
  },
  'landing for companies': async (page) => {
    await page.goto('/landing-companies');
  },
  'a broken link': async (page) => {
    await page.goto('/newsletter/confirm/broken/');
  },
  'the 404 page': async (page) => {
    await page.goto('/no-such-port');
  },
};

for (const language of LANGUAGES) {
  for (const [state, arrive] of Object.entries(STATES)) {
    test(`${state} (${language}) is accessible`, async ({ page, context, baseURL }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await context.addCookies([{ name: 'django_language', value: language, url: baseURL ?? '' }]);
      await arrive(page, language);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('h1')).toHaveCount(1);
      await inspect(page);
    });
  }
}
