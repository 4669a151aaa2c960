import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, type Page, test } from '@playwright/test';

const MAILS = '.cache/e2e/mails';

/** The newest mail to an address, as soon as it was sent. */
async function mailTo(address: string): Promise<string> {
  let mail = '';
  await expect
    .poll(() => {
      const mails = readdirSync(MAILS).map((name) => readFileSync(join(MAILS, name), 'utf8'));
      mail = mails.find((text) => text.includes(`To: ${address}`)) ?? '';
      return mail;
    })
    .not.toBe('');
  return mail;
}

function linkIn(mail: string, kind: string): string {
  const link = new RegExp(`http://[^\\s"<>]*/newsletter/${kind}/[^\\s"<>&]*`).exec(
    mail.replaceAll('=\n', ''),
  );
  if (!link) throw new Error(`The mail has no link to ${kind}`);
  return link[0].replaceAll('=3D', '=');
}

async function adminRow(page: Page, address: string) {
  await page.goto('/admin/');
  await page.locator('#id_username').fill('admin@sailing.example');
  await page.locator('#id_password').fill('only for these tests');
  await page.locator('#id_password').press('Enter');
  await page.waitForURL('/admin/');
  await page.goto(`/admin/newsletter/subscription/?q=${encodeURIComponent(address)}`);
  return page.locator('#result_list tbody tr');
}

test('a visitor subscribes, confirms by mail, and is confirmed in the admin', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Crossroad - Choose Your Path');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).click();
  await page.getByText('Company', { exact: true }).click();
  await page.getByLabel('Email').fill('jana@example.org');
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Aboard!' })).toBeVisible();
  await expect(page.getByText('Check your email for a welcome message.').first()).toBeVisible();

  await page.goto(linkIn(await mailTo('jana@example.org'), 'confirm'));
  const row = await adminRow(page, 'jana@example.org');
  await expect(row).toContainText('Pending');
  await page.goto(linkIn(await mailTo('jana@example.org'), 'confirm'));
  await page.locator('main button').click();
  await page.goto('/admin/newsletter/subscription/?q=jana@example.org');
  await expect(row).toContainText('Confirmed');
  await expect(row).toContainText('Company');
});

test('the same in Czech', async ({ page }) => {
  await page.goto('/newsletter?lang=cs');
  await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  await page.locator('input[name="email"]').fill('petr@example.org');
  await page.locator('form button[type="submit"]').click();
  await expect(page.locator('input[name="email"]')).toHaveCount(0);
  const mail = await mailTo('petr@example.org');
  await page.goto(linkIn(mail, 'confirm'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  await page.locator('main button').click();
  const row = await adminRow(page, 'petr@example.org');
  await expect(row).toHaveCount(1);
  await expect(row.locator('.field-is_confirmed img')).toHaveAttribute('alt', 'True');
});

test('a blank and a malformed email are refused under the field', async ({ page }) => {
  await page.goto('/newsletter');
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await page.getByLabel('Email').fill('nonsense');
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('nonsense');
});

test('an unknown path shows the 404 page with status 404', async ({ page }) => {
  const response = await page.goto('/no-such-port');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'LOST AT SEA?' })).toBeVisible();
});
