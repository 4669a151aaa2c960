import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import {
  becomeMember,
  createAccount,
  getStoredToken,
  getTokenError,
  newAccount,
  newAddress,
  PASSWORD,
  requestToken,
} from './accounts';
import { linkTo, mailsTo } from './mailbox';
import { message } from './pages';
import { DATABASE, expect, open, test, waitForHydration } from './site';

const NEW_PASSWORD = 'Green-Harbor7!';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Press the button of a page behind a mail link, which then says that it is done. */
async function confirm(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator('main button').first().click(); // the second one is "This was not me"
  await expect(page.getByRole('status')).toBeVisible();
}

test('a forgotten password is replaced from the 404 page, in Czech', DATABASE, async ({ page, request }) => {
  const text = (id: string) => message('cs', id);
  const account = newAccount();
  const stranger = newAddress();
  const oldToken = await createAccount(request, account);

  await open(page, '/signin?lang=cs');
  await page.getByRole('link', { name: text('auth.forgotPassword') }).click();
  for (const email of [stranger, account.email]) {
    // The sign-in page, which stays until this one is loaded, has a field of the same name.
    await expect(page.getByRole('heading', { name: text('notFound.resetTitle') })).toBeVisible();
    await expect(page).toHaveURL('/forgot-password');
    await page.getByLabel(text('notFound.email')).fill(email);
    await press(page, text('notFound.resetSend'));
    await expect(page.getByRole('heading', { name: text('notFound.resetSentTitle') })).toBeFocused();
    await expect(page.getByRole('main').getByRole('status')).toHaveText(
      text('notFound.resetSent').replace('{email}', email),
    );
    expect((await page.reload())?.status(), 'the page stays a 404 page').toBe(404);
    await waitForHydration(page);
  }

  await page.goto(await linkTo(account.email, 'reset'));
  const passwords = page.locator('main input[type=password]');
  const ticks = page.locator('.RuleTicks-met');
  await expect(ticks).toHaveCount(0);
  await passwords.first().fill('Green');
  await expect(ticks).toHaveText([/./, /./]);
  await passwords.first().fill(NEW_PASSWORD);
  await expect(ticks).toHaveCount(5);
  await passwords.last().fill(NEW_PASSWORD);
  await page.locator('main [data-reveals]').last().click();
  const confirmation = page.locator('main input[name=new_password2]');
  await expect(confirmation).toHaveAttribute('type', 'text');
  await confirmation.press('Enter');
  await expect(page.getByRole('status')).toBeVisible();
  expect(await getTokenError(request, oldToken)).toBe('UNAUTHENTICATED');
  expect(await mailsTo(stranger)).toEqual([]);

  expect(await requestToken(request, account, NEW_PASSWORD)).toBeDefined();
  expect(await requestToken(request, account, PASSWORD)).toBeUndefined();
});

test('a member verifies the email and changes it', DATABASE, async ({ page, request }) => {
  const { account, token } = await becomeMember(page);
  const second = newAddress();

  await confirm(page, await linkTo(account.email, 'verify'));

  const askFor = async (email: string) => {
    await press(page, 'Change email');
    await page.getByLabel('New email').fill(email);
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await press(page, 'Send the link');
    await expect(page.getByText(`A link is on its way to ${email}.`)).toBeVisible();
  };

  await test.step('the confirmed email signs in, and this browser stays signed in', async () => {
    const elsewhere = (await requestToken(request, account, PASSWORD)) ?? '';
    await open(page, '/profile');
    await askFor(second);
    await confirm(page, await linkTo(second, 'changeEmail'));
    expect(await getTokenError(request, token)).toBeUndefined();
    expect(await getTokenError(request, elsewhere)).toBe('UNAUTHENTICATED');
    expect(await requestToken(request, account, PASSWORD)).toBeUndefined();
    expect(await requestToken(request, { email: second }, PASSWORD)).toBeDefined();
  });
});

test(
  'a member changes the password, downloads the data and deletes the account',
  DATABASE,
  async ({ page, request }) => {
    const { account, token } = await becomeMember(page);
    await open(page, '/profile');

    await test.step('the new password ends the other sessions, not this one', async () => {
      const elsewhere = (await requestToken(request, account, PASSWORD)) ?? '';
      await press(page, 'Change password');
      await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
      await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
      await press(page, 'Save new password');
      await expect(page.getByText('Your password has been changed.')).toBeVisible();
      for (const ended of [token, elsewhere]) {
        expect(await getTokenError(request, ended)).toBe('UNAUTHENTICATED');
      }
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Eva Malá');
    });

    await test.step('the file names the member', async () => {
      await press(page, 'Download as…');
      const downloaded = page.waitForEvent('download');
      await press(page, 'Download');
      const download = await downloaded;
      expect(download.suggestedFilename()).toBe('sailing-account.html');
      expect(readFileSync(await download.path(), 'utf8')).toContain(account.email);
    });

    await test.step('the deleted account cannot sign in', async () => {
      await press(page, 'Delete my account');
      await page.getByRole('dialog').getByLabel('Current password', { exact: true }).fill(NEW_PASSWORD);
      await press(page, 'Delete for good');
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('alert').getByText('Your account has been deleted.')).toBeVisible();
      expect(await getStoredToken(page)).toBeNull();
      expect(await requestToken(request, account, NEW_PASSWORD)).toBeUndefined();
    });
  },
);
