import { randomUUID } from 'node:crypto';

import type { Page } from '@playwright/test';

import { becomeAdmin, newAddress } from './accounts';
import { runInDjango } from './django';
import { linkIn, mailTo } from './mailbox';
import { chooseLanguage, DATABASE, expect, open, PHONE, test } from './site';

test.use({ viewport: PHONE });

/** Subscribe by the form at an address, confirm by the mail and choose an interest. Return the address and the link. */
async function join(page: Page, form: string, interest: string): Promise<{ address: string; link: string }> {
  const address = newAddress();
  await open(page, form);
  await page.getByRole('textbox', { name: /^E-?mail$/ }).fill(address);
  await page.locator('form button[type=submit]').click();
  const link = linkIn(await mailTo(address), 'confirm');
  await page.goto(link);
  await page.locator('main button').first().click();
  await expect(page.getByRole('status')).toBeVisible();
  await page.getByLabel(interest).check();
  await page.getByRole('button', { name: /^(Save|Uložit)$/ }).click();
  await expect(page.getByRole('status')).toHaveText(/saved|uložen/);
  await expect(page.getByLabel(interest)).toBeChecked();
  return { address, link };
}

/** Let the visitor's browser have a sheet that shares. Return a function that returns what was shared. */
async function offerSharing(page: Page): Promise<() => Promise<ShareData | undefined>> {
  await page.addInitScript(() => {
    const share = (shared: ShareData) =>
      Promise.resolve(Object.assign(navigator, { shared })).then(() => undefined);
    Object.assign(navigator, { share });
  });
  return () => page.evaluate(() => (navigator as Navigator & { shared?: ShareData }).shared);
}

/** Let a day pass for those who came by a link. One person brings a sticker. */
async function passDay(invitation: string): Promise<void> {
  await runInDjango(`
from datetime import timedelta
from django.db.models import F
from newsletter.invitations.models import Milestone
from newsletter.models import Subscription
Milestone.objects.get_or_create(threshold=1, name_en="A sticker", name_cs="Samolepka")
invited = Subscription.objects.filter(invitation__code="${new URL(invitation).searchParams.get('invitation')}")
invited.update(confirmed_at=F("confirmed_at") - timedelta(days=1))`);
}

test(
  'a reader brings a friend, and a manager finds those who bring others',
  DATABASE,
  async ({ page, openBrowser, baseURL }) => {
    test.slow();
    page.setDefaultTimeout(15_000);
    const id = randomUUID().slice(0, 8);

    await test.step('the manager adds an interest', async () => {
      await chooseLanguage(page, 'en', baseURL);
      await becomeAdmin(page);
      await page.goto('/admin/newsletter/interest/add/');
      await page.locator('#id_name_en').fill(`Regattas ${id}`);
      await page.locator('#id_name_cs').fill(`Regaty ${id}`);
      await page.locator('[name=_save]').click();
      await expect(page.locator('.messagelist li')).toBeVisible();
    });

    const visitor = await openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] });
    const shared = await offerSharing(visitor);
    const reader = await join(visitor, '/newsletter', `Regattas ${id}`);
    const url = await visitor.getByLabel('Your link').inputValue();

    await test.step('a reader passes the invitation on', async () => {
      expect(url).toMatch(/\/newsletter\?invitation=[0-9a-f]{32}$/);
      await visitor.getByRole('button', { name: 'Copy the link' }).click();
      await expect(visitor.locator('#invitation-result')).toHaveText('The link is copied.');
      expect(await visitor.evaluate(() => navigator.clipboard.readText())).toBe(url);
      await visitor.getByRole('button', { name: 'Share the link' }).click();
      expect(await shared()).toEqual({ title: 'Join me on Sailing', url });
      const mail = await visitor.locator('[href^="mailto:"]').getAttribute('href');
      expect(new URL(mail ?? '').searchParams.get('body')).toBe(url);
    });

    await test.step('a friend comes by it, who reads another language', async () => {
      const friend = await openBrowser();
      await chooseLanguage(friend, 'cs', baseURL);
      await join(friend, url, `Regaty ${id}`);
      const { cookies, origins } = await friend.context().storageState();
      expect(cookies.map(({ name }) => name)).toEqual(['django_language']);
      expect(origins).toEqual([]);
    });

    await test.step('who counts a day later, for something', async () => {
      await visitor.goto(reader.link);
      await expect(visitor.getByText('Know someone who sails? Send them your link.')).toBeVisible();
      await passDay(url);
      await visitor.goto(reader.link);
      await expect(visitor.getByText('1 person came aboard through your link.')).toBeVisible();
      await expect(visitor.locator('.milestones li')).toContainText(/A sticker.*reached/s);
    });

    await test.step('the manager sees who has early access', async () => {
      await page.goto('/admin/invitations/inviter/');
      const row = page.locator('#result_list tbody tr', { hasText: reader.address });
      await expect(row.locator('.field-people')).toHaveText(/^1\b/);
    });

    await test.step('makes a segment of those with the interest who brought somebody', async () => {
      const total = page.locator('.reader-count strong');
      await page.goto('/admin/campaigns/segment/add/');
      await page.locator('#id_name').fill(id);
      await page.getByLabel(`Regattas ${id}`).check();
      await expect(total).toHaveText('2');
      await page.locator('#id_min_invitations').fill('1');
      await expect(total).toHaveText('1');
      await page.locator('[name=_save]').click();
      await page.locator('#result_list').getByRole('link', { name: id }).click();
      await page.getByRole('link', { name: 'Show its subscribers' }).click();
      await expect(page.locator('#result_list tbody tr')).toHaveCount(1);
      await expect(page.locator('#result_list')).toContainText(reader.address);
    });
  },
);
