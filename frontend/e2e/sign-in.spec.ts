import { type Account, enrol, PASSWORD } from './accounts';
import { chunk } from './chunks';
import { inspect } from './inspect';
import { expect, LANGUAGES, test } from './site';

/** What a visitor reads on the way, in each language. */
const WORDS = {
  en: {
    email: 'Email',
    password: 'Password',
    setSail: 'Set Sail',
    google: 'Continue with Google (Coming Soon)',
    forgot: 'Forgot Password?',
    join: 'Join the Crew',
    emailRequired: 'Email is required',
    emailInvalid: 'Invalid email address',
    passwordRequired: 'Password is required',
    passwordTooShort: 'Password must be at least 6 characters',
    passwordTooLong: 'Password must be at most 128 characters',
    wrong: 'Invalid email or password.',
    tooMany: 'Too many attempts. Please wait a moment and try again.',
    unreachable: 'An error occurred during sign in. Please check your connection and try again.',
    signedInAs: 'You are signed in as Jan Novák',
    dashboard: 'Go to the dashboard',
  },
  cs: {
    email: 'E-mail',
    password: 'Heslo',
    setSail: 'Vyplout',
    google: 'Pokračovat přes Google (již brzy)',
    forgot: 'Zapomněli jste heslo?',
    join: 'Naloďte se',
    emailRequired: 'E-mail je povinný',
    emailInvalid: 'Neplatná e-mailová adresa',
    passwordRequired: 'Heslo je povinné',
    passwordTooShort: 'Heslo musí mít alespoň 6 znaků',
    passwordTooLong: 'Heslo může mít nejvýše 128 znaků',
    wrong: 'Nesprávný e-mail nebo heslo.',
    tooMany: 'Příliš mnoho pokusů. Chvíli prosím počkejte a zkuste to znovu.',
    unreachable: 'Při přihlašování došlo k chybě. Zkontrolujte prosím připojení a zkuste to znovu.',
    signedInAs: 'Jste přihlášeni jako Jan Novák',
    dashboard: 'Přejít na nástěnku',
  },
};

const jan = (name: string): Account => ({
  firstName: 'Jan',
  lastName: 'Novák',
  email: `${name}@example.org`,
});

for (const language of LANGUAGES) {
  const words = WORDS[language];

  test.describe(`in ${language}`, () => {
    test.beforeEach(async ({ page, context, baseURL }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await context.addCookies([{ name: 'django_language', value: language, url: baseURL ?? '' }]);
      await page.goto('/signin');
    });

    test('each rule is told under its field', async ({ page }) => {
      const email = page.getByLabel(words.email);
      const password = page.getByLabel(words.password, { exact: true });
      await inspect(page);
      await page.getByRole('button', { name: words.setSail }).click();
      await expect(email).toHaveAccessibleDescription(words.emailRequired);
      await expect(password).toHaveAccessibleDescription(words.passwordRequired);
      await expect(email).toBeFocused();
      await inspect(page);
      await email.fill('nonsense');
      await expect(email).toHaveAccessibleDescription(words.emailInvalid);
      await password.fill('12345');
      await expect(password).toHaveAccessibleDescription(words.passwordTooShort);
      await password.fill('x'.repeat(129));
      await expect(password).toHaveAccessibleDescription(words.passwordTooLong);
      await password.fill('123456');
      await expect(password).toHaveAccessibleDescription('');
    });

    test('a wrong password, an unknown address and too many tries are told in red, and nothing is lost', async ({
      page,
      request,
    }) => {
      const member = jan(`refused-${language}`);
      await enrol(request, member);
      const email = page.getByLabel(words.email);
      const password = page.getByLabel(words.password, { exact: true });
      const submit = page.getByRole('button', { name: words.setSail });
      const message = page.locator('form').getByRole('alert');

      await email.fill(`nobody-${language}@example.org`);
      await password.fill('not the password');
      await submit.click();
      await expect(message).toHaveText(words.wrong);
      await expect(email).toHaveValue(`nobody-${language}@example.org`);
      await expect(password).toHaveValue('not the password');
      await inspect(page);

      await email.fill(member.email);
      await expect(message).toBeEmpty();
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const answered = page.waitForResponse('**/graphql');
        await submit.click();
        await answered;
        await expect(message).toHaveText(words.wrong);
      }
      await password.fill(PASSWORD);
      await submit.click();
      await expect(message).toHaveText(words.tooMany);
      await expect(page).toHaveURL('/signin');
    });

    test('a lost network is told, and the next try goes through', async ({ page, context, request }) => {
      const member = jan(`storm-in-${language}`);
      await enrol(request, member);
      await page.getByLabel(words.email).fill(member.email);
      await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
      await context.route('**/graphql', (route) => route.abort());
      await page.getByRole('button', { name: words.setSail }).click();
      await expect(page.locator('form').getByRole('alert')).toHaveText(words.unreachable);
      await context.unroute('**/graphql');
      await page.getByRole('button', { name: words.setSail }).click();
      await expect(page).toHaveURL('/dashboard');

      await page.goto('/signin');
      await expect(page.getByText(words.signedInAs)).toBeVisible();
      await inspect(page);
      await page.getByRole('link', { name: words.dashboard }).click();
      await expect(page).toHaveURL('/dashboard');
    });

    test('there are the ways elsewhere, and one that is not open yet', async ({ page }) => {
      await expect(page.getByRole('button', { name: words.google })).toBeDisabled();
      await page.getByRole('link', { name: words.forgot }).click();
      await expect(page).toHaveURL('/forgot-password');
      await page.goBack();
      await page.locator('main').getByRole('link', { name: words.join }).click();
      await expect(page).toHaveURL('/signup');
    });
  });
}

test('the button says what is under way', async ({ page, context, request }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const member = jan('slow-in');
  await enrol(request, member);
  await page.goto('/signin');
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  let sail: () => void = () => undefined;
  const wind = new Promise<void>((resolve) => (sail = resolve));
  await context.route('**/graphql', async (route) => {
    await wind;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Set Sail' }).click();
  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeFocused();
  await inspect(page);
  sail();
  await expect(page).toHaveURL('/dashboard');
});

test('Back from the dashboard leads past the form', async ({ page, request }) => {
  const member = jan('past');
  await enrol(request, member);
  await page.goto('/landing');
  await page.goto('/signin');
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page).toHaveURL('/dashboard');
  await page.goBack();
  await expect(page).toHaveURL('/landing');
});

test('a form whose code could not be loaded ahead stays, and loads it on submitting', async ({
  page,
  context,
  request,
}) => {
  const member = jan('ahead');
  await enrol(request, member);
  let asked = 0;
  let loads = 0;
  page.on('domcontentloaded', () => (loads += 1));
  await context.route(`**${chunk('session')}`, async (route) => {
    asked += 1;
    if (asked === 1) await route.fulfill({ status: 404 });
    else await route.continue();
  });
  await page.goto('/signin');
  await expect.poll(() => asked).toBe(1);
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set Sail' }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(loads).toBe(1);
});
