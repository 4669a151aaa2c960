import routeTable from '../routes.json' with { type: 'json' };
import {
  type Account,
  call,
  codeOf,
  enrol,
  expectSignedIn,
  keepToken,
  PASSWORD,
  signInAs,
  storedToken,
} from './accounts';
import { linkIn, mailTo } from './mailbox';
import { expect, expectAlive, LANGUAGES, test } from './site';

const account = (name: string, firstName = 'Eva'): Account => ({
  firstName,
  lastName: 'Malá',
  email: `${name}@example.org`,
});

/** What a member reads on the way, in each language. */
const WORDS = {
  en: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    password: 'Password',
    confirmPassword: 'Confirm password',
    join: 'Create Account',
    created: 'Account created successfully! Please check your email to verify your account.',
    signedInAs: 'You are signed in as Eva Malá',
    unverified: 'Unverified',
    verified: 'Verified',
    verify: 'Verify my email',
    toProfile: 'Go to my profile',
    edit: 'Edit Profile',
    nickname: /^Nickname/,
    save: 'Save Changes',
    saved: 'Profile updated successfully!',
    signOut: 'Sign Out',
    signedOut: 'Signed out successfully! Safe sailing!',
    setSail: 'Set Sail',
  },
  cs: {
    firstName: 'Křestní jméno',
    lastName: 'Příjmení',
    email: 'E-mail',
    password: 'Heslo',
    confirmPassword: 'Potvrzení hesla',
    join: 'Vytvořit účet',
    created: 'Účet je úspěšně vytvořen! Ověřte ho prosím odkazem v e-mailu, který jsme vám poslali.',
    signedInAs: 'Jste přihlášeni jako Eva Malá',
    unverified: 'Neověřený',
    verified: 'Ověřený',
    verify: 'Ověřit můj e-mail',
    toProfile: 'Přejít na můj profil',
    edit: 'Upravit profil',
    nickname: /^Přezdívka/,
    save: 'Uložit změny',
    saved: 'Profil je úspěšně upraven!',
    signOut: 'Odhlásit se',
    signedOut: 'Odhlášení proběhlo v pořádku. Bezpečnou plavbu!',
    setSail: 'Vyplout',
  },
};

for (const language of LANGUAGES) {
  test(`from signing up to signing in again (${language})`, async ({ page, request }) => {
    const words = WORDS[language];
    const email = `journey-${language}@example.org`;

    await page.goto(`/signup?lang=${language}`);
    await page.getByLabel(words.firstName).fill('Eva');
    await page.getByLabel(words.lastName).fill('Malá');
    await page.getByLabel(words.email).fill(email);
    await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
    await page.getByLabel(words.confirmPassword, { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: words.join }).click();
    await expect(page.getByText(words.created).first()).toBeVisible();
    await expect(page).toHaveURL('/signin');
    await expect(page.getByText(words.signedInAs)).toBeVisible();

    await page.goto('/profile');
    await expect(page.getByText(words.unverified, { exact: true }).first()).toBeVisible();
    await page.goto(linkIn(await mailTo(email), 'verify'));
    await page.getByRole('button', { name: words.verify }).click();
    await page.getByRole('link', { name: words.toProfile }).click();
    await expect(page.getByText(words.verified, { exact: true }).first()).toBeVisible();

    await page.getByRole('button', { name: words.edit }).click();
    await page.getByLabel(words.nickname).fill('Evča');
    await page.getByRole('button', { name: words.save }).click();
    await expect(page.getByText(words.saved)).toBeVisible();
    await page.reload();
    await expect(page.getByText('Evča')).toBeVisible();

    const token = (await storedToken(page)) ?? '';
    expect(await codeOf(request, token)).toBeUndefined();
    await page.getByRole('banner').getByRole('button', { name: 'Eva', exact: true }).click();
    const been: string[] = [];
    page.on('framenavigated', () => been.push(new URL(page.url()).pathname));
    await page.getByRole('banner').getByRole('button', { name: words.signOut }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('alert').getByText(words.signedOut)).toBeVisible();
    expect(been, 'straight there, not by way of /signin').toEqual(['/']);
    expect(await storedToken(page)).toBeNull();
    expect(await codeOf(request, token), 'the old token counts no more').toBe('UNAUTHENTICATED');

    await page.goto('/signin');
    await page.getByLabel(words.email).fill(email);
    await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: words.setSail }).click();
    await expect(page).toHaveURL('/dashboard');
    expect(await storedToken(page)).not.toBe(token);
  });
}

test.describe('a member’s page', () => {
  test('sends who is signed out to /signin, and then back to the very address', async ({ page, request }) => {
    const eva = account('guarded');
    await enrol(request, eva);
    await page.goto('/profile?from=mail#email');
    await expect(page).toHaveURL('/signin');
    await signInAs(page, eva);
    await expect(page).toHaveURL('/profile?from=mail#email');
    await expectSignedIn(page, eva);
  });

  test('is where signing in leads also past the skip link', async ({ page, request }) => {
    const eva = account('skipping');
    await enrol(request, eva);
    await page.goto('/profile');
    await expect(page).toHaveURL('/signin');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await expect(page.locator('#content')).toBeFocused();
    await signInAs(page, eva);
    await expect(page).toHaveURL('/profile');
  });

  test('is where signing in leads with a fragment that a mail cut off', async ({ page, request }) => {
    const eva = account('cut-off');
    await enrol(request, eva);
    await page.goto('/profile#100%');
    await expect(page).toHaveURL('/signin');
    await signInAs(page, eva);
    await expect(page).toHaveURL('/profile#100%');
    await expect(page.getByRole('heading', { name: 'Eva Malá' })).toBeVisible();
  });

  test('is not behind Back after it sent the visitor away', async ({ page }) => {
    await page.goto('/');
    await page.goto('/profile');
    await expect(page).toHaveURL('/signin');
    await page.goBack();
    await expect(page).toHaveURL('/');
  });

  test('is chosen by nobody outside: the address of /signin says nothing of where it leads', async ({
    page,
    request,
  }) => {
    const eva = account('redirected');
    await enrol(request, eva);
    await page.goto('/signin?next=//evil.example&from=https://evil.example');
    await signInAs(page, eva);
    await expect(page).toHaveURL('/dashboard');
  });
});

test.describe('a token', () => {
  test('that was forged is removed, and the visitor quietly signed out', async ({ page }) => {
    await keepToken(page, 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.');
    await page.goto('/profile');
    await expect(page).toHaveURL('/signin');
    expect(await storedToken(page)).toBeNull();
    await expect(page.getByRole('alert')).toBeEmpty();
  });

  test('that was revoked elsewhere ends the session at the next call', async ({ page, request }) => {
    const eva = account('revoked');
    const token = await enrol(request, eva);
    await keepToken(page, token);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await call(request, 'mutation logout { logout }', { token });
    await page.getByLabel(/^Nickname/).fill('Evča');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page).toHaveURL('/signin');
    expect(await storedToken(page)).toBeNull();
    await signInAs(page, eva);
    await expect(page).toHaveURL('/profile');
  });
});

test.describe('an outage', () => {
  for (const [cause, answer] of [
    ['the network is lost', undefined],
    ['the server is in trouble', { status: 503, body: '<h1>Service Unavailable</h1>' }],
  ] as const) {
    test(`keeps the member signed in, and Retry brings them back: ${cause}`, async ({
      page,
      context,
      request,
    }) => {
      const eva = account(answer ? 'outage' : 'lost');
      const token = await enrol(request, eva);
      await keepToken(page, token);
      await context.route('**/graphql', (route) => (answer ? route.fulfill(answer) : route.abort()));
      await page.goto('/profile');
      await expect(page.getByText('Failed to load profile data')).toBeVisible();
      await expect(page).toHaveURL('/profile');
      expect(await storedToken(page)).toBe(token);

      await context.unroute('**/graphql');
      await page.getByRole('button', { name: 'Retry' }).click();
      await expectSignedIn(page, eva);
      await expect(page.getByRole('heading', { name: 'Eva Malá' })).toBeVisible();
    });
  }

  test('is over for the page as soon as the network is back', async ({ page, context, request }) => {
    const eva = account('back');
    await keepToken(page, await enrol(request, eva));
    const failed = page.waitForEvent('requestfailed');
    await context.route('**/graphql', (route) => route.abort());
    await page.goto('/landing');
    await failed;
    await context.unroute('**/graphql');
    await context.setOffline(true);
    await context.setOffline(false);
    await expectSignedIn(page, eva);
  });

  test('while signing out: it is said, and the member stays signed in', async ({
    page,
    context,
    request,
  }) => {
    const eva = account('stays');
    const token = await enrol(request, eva);
    await keepToken(page, token);
    await page.goto('/profile');
    await page.getByRole('banner').getByRole('button', { name: 'Eva', exact: true }).click();
    await context.route('**/graphql', (route) => route.abort());
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
    await expect(page.getByRole('alert').getByText('Logout failed. Please try again.')).toBeVisible();
    await expect(page).toHaveURL('/profile');
    expect(await storedToken(page)).toBe(token);
    await expectSignedIn(page, eva);
  });
});

/** How soon other tabs know, in milliseconds, once the one that acts is done. */
const AGREED = { timeout: 1000 };

test.describe('two tabs', () => {
  test('agree when one signs in, as someone else, and out', async ({ page, context, request }) => {
    const eva = account('tab-eva');
    const petr = account('tab-petr', 'Petr');
    await enrol(request, eva);
    await enrol(request, petr);
    const other = await context.newPage();
    await other.goto('/landing');
    await expect(other.getByRole('banner').getByRole('link', { name: 'Join the Crew' })).toBeVisible();

    await page.goto('/signin');
    await signInAs(page, eva);
    await expect(page).toHaveURL('/dashboard');
    await expectSignedIn(other, eva, AGREED);
    const token = (await storedToken(page)) ?? '';

    await page.goto('/signin');
    await expect(page.getByText('You are signed in as Eva Malá')).toBeVisible();
    await signInAs(page, petr);
    await expect(page).toHaveURL('/dashboard');
    await expectSignedIn(other, petr, AGREED);
    await expect
      .poll(() => codeOf(request, token), { message: 'no token is left valid and forgotten' })
      .toBe('UNAUTHENTICATED');

    await other.getByRole('banner').getByRole('button', { name: 'Petr', exact: true }).click();
    await page.goto('/profile');
    await expectSignedIn(page, petr);
    await other.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
    await expect(other).toHaveURL('/');
    await expect(page).toHaveURL('/signin', AGREED);
    expect(await storedToken(page)).toBeNull();
  });
});

test('a page rendered for nobody comes to life for a member as it stands', async ({ page, request }) => {
  const eva = account('alive');
  await keepToken(page, await enrol(request, eva));
  for (const { path, isPublic } of routeTable.routes) {
    if (!isPublic) continue;
    await page.goto(path);
    await expectAlive(page.locator('main'));
    if (path.startsWith('/landing')) await expectSignedIn(page, eva);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expectAlive(page.locator('main section').last().or(page.locator('main')).last());
  }
});

test('the landing page asks a visitor to join and sign in, a member for neither', async ({
  page,
  request,
}) => {
  await page.goto('/landing');
  const actions = page.locator('main').getByRole('link', { name: 'Sign In' });
  await expect(actions).toHaveCount(1);
  const eva = account('closing');
  await keepToken(page, await enrol(request, eva));
  await page.goto('/landing');
  await expectSignedIn(page, eva);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(actions).toHaveCount(0);
});
