import type { Browser, Page } from '@playwright/test';

import { newAddress } from './accounts';
import { runInDjango } from './django';
import { linkIn, mailTo } from './mailbox';
import { DATABASE, expect, open, test } from './site';

const press = (page: Page) => page.locator('main form button').first().click();

/** Subscribe by the form at an address, confirm by the mail, and return the link on the page afterwards. */
async function join(page: Page, form: string): Promise<string> {
  const address = newAddress();
  await open(page, form);
  await page.getByRole('textbox', { name: /^E-?mail$/ }).fill(address);
  await page.locator('form button[type=submit]').click();
  await expect(page.getByRole('heading', { name: 'Welcome Aboard!' })).toBeVisible();
  await page.goto(linkIn(await mailTo(address), 'confirm'));
  await press(page);
  return page.getByLabel('Your link').inputValue();
}

/** Let those who came by a link have confirmed two days ago, and count them. */
function makeOld(link: string): void {
  const code = new URL(link).searchParams.get('invitation') ?? '';
  runInDjango(`
from datetime import timedelta
from django.db.models import F
from newsletter.invitations import services
from newsletter.models import Subscription
Subscription.objects.filter(invitation__code="${code}").update(confirmed_at=F("confirmed_at") - timedelta(days=2))
services.update_counts(after=0)`);
}

async function joinElsewhere(browser: Browser, link: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await open(page, link);
  expect(await context.storageState()).toEqual({ cookies: [], origins: [] });
  await join(page, link);
  await context.close();
}

test('a friend who comes by the link counts a day later', DATABASE, async ({ page, browser }) => {
  const link = await join(page, '/newsletter?lang=en');
  expect(link).toMatch(/\/newsletter\?invitation=[0-9a-f]{32}$/);
  await joinElsewhere(browser, link);
  await page.reload();
  await expect(page.getByText('Know someone who sails? Send them your link.')).toBeVisible();
  makeOld(link);
  await page.reload();
  await expect(page.getByText('1 person came aboard through your link.')).toBeVisible();
});
