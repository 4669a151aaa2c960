import type { Page } from '@playwright/test';

import {
  becomeMember,
  callApi,
  createAccount,
  getStoredToken,
  getTokenError,
  newAccount,
  PASSWORD,
  signIn,
  storeToken,
  userMenu,
} from './accounts';
import { linkTo } from './mailbox';
import { message } from './pages';
import { DATABASE, expect, heading, open, test } from './site';

const alert = (page: Page) => page.locator('form').getByRole('alert');
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

test('from signing up to signing in again, in Czech', DATABASE, async ({ page, request }) => {
  const label = (id: string) => message('cs', id);
  const field = (id: string) => page.getByLabel(label(id), { exact: true });
  const button = (id: string) => page.getByRole('button', { name: label(id), exact: true });
  const account = newAccount();

  await test.step('sign up by keyboard', async () => {
    await open(page, '/signup?lang=cs');
    const type = (text: string) => page.keyboard.type(text);
    const next = () => page.keyboard.press('Tab');
    await field('auth.firstName').focus();
    for (const text of [account.firstName, account.lastName, account.email, PASSWORD]) {
      await type(text);
      await next();
    }
    await page.keyboard.press('Space');
    await expect(field('auth.password')).toHaveAttribute('type', 'text');
    await next();
    await type(PASSWORD);
    await next();
    await next();
    await page.keyboard.press('Space');
    await next();
    await expect(field('auth.captainLicenseNumber')).toBeFocused();
    await type('CZ-1024');
    await next();
    await type('Korm');
    await expect(field('auth.favoritePosition')).toHaveValue('Helmsman');
    await next();
    await expect(page.getByRole('link', { name: label('forms.termsOfUse') })).toBeFocused();
    await next();
    await next();
    await page.keyboard.press('Enter');
    await expect(page.getByText(label('auth.created')).first()).toBeVisible();
    await expect(heading(page)).toBeFocused();
    await expect(page).toHaveURL('/signin');
    await expect(page.getByText(label('auth.signedInAs').replace('{name}', 'Eva Malá'))).toBeVisible();
  });

  await test.step('verify the email', async () => {
    await page.goto('/profile');
    await expect(page.getByText(label('profile.unverified'), { exact: true }).first()).toBeVisible();
    const link = await linkTo(account.email, 'verify');
    await page.goto(link);
    await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
    await page.reload();
    await expect(page.getByRole('status'), 'opening the link verifies nothing').toHaveCount(0);
    await page.locator('main button').first().click();
    await expect(page.getByRole('status')).toBeVisible();
    await page.goto(link);
    await expect(page.getByRole('status'), 'a used link says the same').toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await page.getByRole('main').getByRole('link').click();
    expect(await page.evaluate(() => document.referrer), 'the token does not leak').toBe('');
    await page.goto('/profile');
    await expect(page.getByText(label('profile.verified'), { exact: true }).first()).toBeVisible();
  });

  await test.step('edit the profile by keyboard', async () => {
    await button('profile.edit').press('Enter');
    await expect(page.getByLabel(label('auth.firstName'))).toBeFocused();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Evča');
    await page.keyboard.press('Enter');
    await expect(page.getByText(label('profile.saved'))).toBeVisible();
    await expect(button('profile.edit')).toBeFocused();
    await page.reload();
    await expect(heading(page)).toHaveText('Evča Malá');
  });

  const token = (await getStoredToken(page)) ?? '';
  await test.step('sign out', async () => {
    expect(await getTokenError(request, token)).toBeUndefined();
    await userMenu(page, { ...account, firstName: 'Evča' }).click();
    const visited: string[] = [];
    page.on('framenavigated', () => visited.push(new URL(page.url()).pathname));
    await page
      .getByRole('banner')
      .getByRole('button', { name: label('memberBar.signOut') })
      .click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('alert').getByText(label('memberBar.signedOut'))).toBeVisible();
    expect(visited, 'without a detour to /signin').toEqual(['/']);
    expect(await getStoredToken(page)).toBeNull();
    expect(await getTokenError(request, token)).toBe('UNAUTHENTICATED');
  });

  await test.step('sign in, without and with the right password', async () => {
    await open(page, '/signin');
    await field('auth.email').fill(account.email);
    await field('auth.password').fill('not the password');
    await button('auth.setSail').click();
    await expect(alert(page)).toHaveText('Nesprávný e-mail nebo heslo.');
    await field('auth.password').fill(PASSWORD);
    await button('auth.setSail').click();
    await expect(page).toHaveURL('/dashboard');
    expect(await getStoredToken(page)).not.toBe(token);
    await page.goBack();
    await expect(page, 'the form is not in the history').toHaveURL('/');
  });
});

test(
  'a member page sends a visitor to /signin and back to the same address, and nowhere else',
  DATABASE,
  async ({ page }) => {
    const account = newAccount();
    await createAccount(page.request, account);
    await page.goto('/landing');
    await page.goto('/profile?from=mail#100%');
    await expect(page).toHaveURL('/signin');
    await page.goBack();
    await expect(page, 'Back does not return to the guard').toHaveURL('/landing');

    await page.goto('/profile?from=mail#100%');
    await expect(page).toHaveURL('/signin');
    await expect(heading(page), 'the page is shown').toBeFocused();
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await expect(page.locator('#content')).toBeFocused();
    await signIn(page, account);
    await expect(page).toHaveURL('/profile?from=mail#100%');
    await expect(page.getByRole('heading', { name: 'Eva Malá' })).toBeVisible();
    await expect(userMenu(page, account)).toBeVisible();

    await open(page, '/signin?next=//evil.example&from=https://evil.example');
    await signIn(page, account);
    await expect(page).toHaveURL('/dashboard');
  },
);

test('a forged token is removed, and a revoked one ends the session', DATABASE, async ({ page, request }) => {
  await storeToken(page, 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.');
  await page.goto('/profile');
  await expect(page).toHaveURL('/signin');
  expect(await getStoredToken(page)).toBeNull();
  await expect(alert(page)).toBeEmpty();

  const { account, token } = await becomeMember(page);
  await page.goto('/profile');
  await press(page, 'Edit Profile');
  await callApi(request, 'mutation logout { logout }', { token });
  await page.getByLabel(/^Nickname/).fill('Evča');
  await press(page, 'Save Changes');
  await expect(page).toHaveURL('/signin');
  expect(await getStoredToken(page)).toBeNull();
  await signIn(page, account);
  await expect(page).toHaveURL('/profile');
});

test('two tabs agree on who is signed in', DATABASE, async ({ page, context, request }) => {
  const eva = newAccount();
  const petr = newAccount('Petr');
  await createAccount(request, eva);
  await createAccount(request, petr);
  const other = await context.newPage();
  await open(other, '/landing');
  await expect(other.getByRole('banner').getByRole('link', { name: 'Join the Crew' })).toBeVisible();

  await open(page, '/signin');
  await signIn(page, eva);
  await expect(page).toHaveURL('/dashboard');
  await expect(userMenu(other, eva)).toBeVisible();
  const token = (await getStoredToken(page)) ?? '';

  await open(page, '/signin');
  await expect(page.getByText('You are signed in as Eva Malá')).toBeVisible();
  await signIn(page, petr);
  await expect(page).toHaveURL('/dashboard');
  await expect(userMenu(other, petr)).toBeVisible();
  await expect
    .poll(() => getTokenError(request, token), 'the replaced token is revoked')
    .toBe('UNAUTHENTICATED');

  await userMenu(other, petr).click();
  await page.goto('/profile');
  await expect(userMenu(page, petr)).toBeVisible();
  await other.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(other).toHaveURL('/');
  await expect(page).toHaveURL('/signin');
  expect(await getStoredToken(page)).toBeNull();
});

test('what a member typed is shown as text, whatever it looks like', async ({ page }) => {
  const script = (place: string) => `"><img src=x onerror=alert('${place}')><script>alert(1)</script>`;
  const account = newAccount(script('first'), script('last'));
  const nickname = script('nick');
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const { token } = await becomeMember(page, account);
  await callApi(
    page.request,
    'mutation updateProfile($input: UpdateProfileInput!) { updateProfile(input: $input) { id } }',
    { variables: { input: { nickname, nationality: nickname } }, token },
  );
  await page.goto('/profile');
  await expect(heading(page)).toHaveText(`${account.firstName} ${account.lastName}`);
  await expect(page.getByRole('main')).toContainText(nickname);
  await expect(userMenu(page, account)).toBeVisible();
  await press(page, 'Edit Profile');
  await expect(page.getByLabel(/^Nickname/)).toHaveValue(nickname);
  await open(page, '/signin');
  await expect(page.getByRole('main')).toContainText(account.firstName);
  await expect(page.locator('img[src="x"], [onerror]')).toHaveCount(0);
  expect(dialogs).toEqual([]);
});
