import type { Page } from '@playwright/test';

import {
  type Account,
  becomeMember,
  callApi,
  createAccount,
  getStoredToken,
  getTokenError,
  newAccount,
  PASSWORD,
  requestToken,
  sendResetMail,
  signIn,
  storeToken,
  userMenu,
} from './accounts';
import { linkTo, mailsTo } from './mailbox';
import { message, ROUTES } from './pages';
import { DATABASE, expect, open, SWEEP, test } from './site';

const NEW_PASSWORD = 'Green-Harbor7!';

const alert = (page: Page) => page.locator('form').getByRole('alert');
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

async function fillSignUp(page: Page, account: Account): Promise<void> {
  await page.getByLabel('First name').fill(account.firstName);
  await page.getByLabel('Last name').fill(account.lastName);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
}

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
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
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
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Evča');
    await page.keyboard.press('Enter');
    await expect(page.getByText(label('profile.saved'))).toBeVisible();
    await expect(button('profile.edit')).toBeFocused();
    await page.reload();
    await expect(page.getByText(label('profile.quotedNickname').replace('{nickname}', 'Evča'))).toBeVisible();
  });

  const token = (await getStoredToken(page)) ?? '';
  await test.step('sign out', async () => {
    expect(await getTokenError(request, token)).toBeUndefined();
    await userMenu(page, account).click();
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
    await page.route('**/graphql', (route) => route.abort());
    await button('auth.setSail').click();
    await expect(alert(page)).toContainText(label('auth.signInFailed'));
    await page.unroute('**/graphql');
    await button('auth.setSail').click();
    await expect(page).toHaveURL('/dashboard');
    expect(await getStoredToken(page)).not.toBe(token);
    await page.goBack();
    await expect(page, 'the form is not in the history').toHaveURL('/');
  });
});

test('a member sets a new password by a mail from the admin', SWEEP, async ({ page, request }) => {
  const account = newAccount();
  const token = await createAccount(page.request, account);
  await sendResetMail(page, account);
  const link = await linkTo(account.email, 'reset');
  await page.goto(link);
  const password = page.locator('main input[type=password]').first();
  const confirmation = page.locator('main input[type=password]').last();
  for (const [first, second, focused] of [
    ['abcdefg', 'abcdefg', password],
    [NEW_PASSWORD, 'Green-Harbor8!', confirmation],
  ] as const) {
    await password.fill(first);
    await confirmation.fill(second);
    await confirmation.press('Enter');
    await expect(focused).toHaveAttribute('aria-invalid', 'true');
    await expect(focused).toBeFocused();
  }
  expect(await getTokenError(request, token), 'nothing has changed').toBeUndefined();
  await password.fill(NEW_PASSWORD);
  await confirmation.fill(NEW_PASSWORD);
  await confirmation.press('Enter');
  await expect(page.getByRole('status')).toBeVisible();
  expect(await getTokenError(request, token)).toBe('UNAUTHENTICATED');
  await expect
    .poll(async () => (await mailsTo(account.email)).map(({ subject }) => subject))
    .toContain('Your password was changed');
  await page.goto(link);
  await expect(page.getByRole('status'), 'a used link says so').toBeVisible();
  await expect(page.locator('main input[type=password]')).toHaveCount(0);
  expect(await requestToken(request, account, PASSWORD)).toBeUndefined();
  expect(await requestToken(request, account, NEW_PASSWORD)).toBeDefined();
});

test(
  'what only the server can refuse shows at its field, and nothing is lost',
  DATABASE,
  async ({ page }) => {
    const account = newAccount();
    await createAccount(page.request, account);
    await open(page, '/signup');
    const email = page.getByLabel('Email');
    const password = page.getByLabel('Password', { exact: true });
    await fillSignUp(page, { ...account, email: account.email.toUpperCase() });
    await page.route('**/graphql', (route) => route.abort());
    await press(page, 'Create Account');
    await expect(alert(page)).toHaveText(
      'An error occurred during sign up. Please check your connection and try again.',
    );
    await page.unroute('**/graphql');
    await press(page, 'Create Account');
    await expect(email).toHaveAccessibleDescription('An account with this email already exists.');
    await expect(email).toBeFocused();
    await email.fill('anna@-example-.org');
    await press(page, 'Create Account');
    await expect(email).toHaveAccessibleDescription('Invalid email address');
    await email.fill(newAccount().email);
    await password.fill('P@ssw0rd');
    await page.getByLabel('Confirm password', { exact: true }).fill('P@ssw0rd');
    await press(page, 'Create Account');
    await expect(password).toHaveAccessibleDescription(/^This password is too common\./);
    await expect(password).toBeFocused();
    await expect(page.getByLabel('Last name')).toHaveValue('Malá');

    await page.getByLabel('First name').fill('');
    await press(page, 'Create Account');
    await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
    await expect(page.getByLabel('Křestní jméno')).toHaveAccessibleDescription('Křestní jméno je povinné');
    await expect(page.getByLabel('Příjmení')).toHaveValue('Malá');
  },
);

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
    await expect(page.getByRole('heading', { level: 1 }), 'the page is shown').toBeFocused();
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

test('an outage keeps the member signed in and loses nothing that was typed', async ({ page, context }) => {
  const { account, token } = await becomeMember(page);
  const name = page.getByRole('heading', { level: 1 });
  await test.step('while loading', async () => {
    await context.route('**/graphql', (route) => route.abort());
    await page.goto('/profile');
    await expect(page.getByText('Failed to load profile data')).toBeVisible();
    await expect(page).toHaveURL('/profile');
    expect(await getStoredToken(page)).toBe(token);
    await context.unroute('**/graphql');
    await press(page, 'Retry');
    await expect(name).toHaveText('Eva Malá');
    await expect(userMenu(page, account)).toBeVisible();
  });

  await test.step('while saving', async () => {
    await press(page, 'Edit Profile');
    await page.getByLabel('First name').fill('Evelína');
    await context.route('**/graphql', (route) => route.abort());
    await press(page, 'Save Changes');
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to update profile.' })).toBeVisible();
    await expect(page.getByLabel('First name')).toHaveValue('Evelína');
    await context.unroute('**/graphql');
    await press(page, 'Save Changes');
    await expect(name).toHaveText('Evelína Malá');
  });

  const renamed = { ...account, firstName: 'Evelína' };
  await test.step('while signing out', async () => {
    await userMenu(page, renamed).click();
    await context.route('**/graphql', (route) => route.abort());
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
    await expect(page.getByRole('alert').getByText('Logout failed. Please try again.')).toBeVisible();
    await expect(page).toHaveURL('/profile');
    expect(await getStoredToken(page)).toBe(token);
    await expect(userMenu(page, renamed)).toBeVisible();
  });

  await test.step('on a public page, until the network is back', async () => {
    const failed = page.waitForEvent('requestfailed');
    await page.goto('/landing');
    await failed;
    await context.unroute('**/graphql');
    await context.setOffline(true);
    await context.setOffline(false);
    await expect(userMenu(page, renamed)).toBeVisible();
  });
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

test('every page that is open to visitors hydrates for a member', SWEEP, async ({ page }) => {
  // A mismatch is an error, on which `test` fails.
  const { account } = await becomeMember(page);
  for (const { path } of ROUTES.filter(({ access }) => access === 'public')) {
    await open(page, path);
    if (!path.startsWith('/landing')) continue;
    await expect(userMenu(page, account)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Menu', exact: true })).toHaveCount(0);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0);
  }
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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `${account.firstName} ${account.lastName}`,
  );
  await expect(page.getByRole('main')).toContainText(nickname);
  await expect(userMenu(page, account)).toBeVisible();
  await press(page, 'Edit Profile');
  await expect(page.getByLabel(/^Nickname/)).toHaveValue(nickname);
  await open(page, '/signin');
  await expect(page.getByRole('main')).toContainText(account.firstName);
  await expect(page.locator('img[src="x"], [onerror]')).toHaveCount(0);
  expect(dialogs).toEqual([]);
});
