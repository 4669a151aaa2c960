import { type Account, enrol, PASSWORD } from './accounts';
import { chunk } from './chunks';
import { inspect } from './inspect';
import { mailTo } from './mailbox';
import { expect, LANGUAGES, test } from './site';

/** What a visitor reads on the way, in each language. */
const WORDS = {
  en: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    password: 'Password',
    confirm: 'Confirm password',
    license: 'I have a captain license',
    number: 'Captain license number',
    position: 'Favorite sailing position (optional)',
    create: 'Create Account',
    created: 'Account created successfully! Please check your email to verify your account.',
    signedInAs: 'You are signed in as Anna Nováková',
    required: [
      'First name is required',
      'Last name is required',
      'Email is required',
      'Password is required',
      'Please confirm your password',
      'License number is required when you have a captain license',
    ],
    taken: 'An account with this email already exists.',
    common: 'This password is too common.',
    invalid: 'Invalid email address',
    unreachable: 'An error occurred during sign up. Please check your connection and try again.',
  },
  cs: {
    firstName: 'Křestní jméno',
    lastName: 'Příjmení',
    email: 'E-mail',
    password: 'Heslo',
    confirm: 'Potvrzení hesla',
    license: 'Mám kapitánský průkaz',
    number: 'Číslo kapitánského průkazu',
    position: 'Oblíbená pozice na lodi (nepovinné)',
    create: 'Vytvořit účet',
    created: 'Účet je úspěšně vytvořen! Ověřte ho prosím odkazem v e-mailu, který jsme vám poslali.',
    signedInAs: 'Jste přihlášeni jako Anna Nováková',
    required: [
      'Křestní jméno je povinné',
      'Příjmení je povinné',
      'E-mail je povinný',
      'Heslo je povinné',
      'Potvrďte prosím své heslo',
      'Máte-li kapitánský průkaz, je jeho číslo povinné',
    ],
    taken: 'Účet s tímto e-mailem už existuje.',
    common: 'Heslo je příliš běžné.',
    invalid: 'Neplatná e-mailová adresa',
    unreachable: 'Při registraci došlo k chybě. Zkontrolujte prosím připojení a zkuste to znovu.',
  },
};

const anna = (name: string): Account => ({
  firstName: 'Anna',
  lastName: 'Nováková',
  email: `${name}@example.org`,
});

for (const language of LANGUAGES) {
  const words = WORDS[language];

  test.describe(`in ${language}`, () => {
    test.beforeEach(async ({ page, context, baseURL }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await context.addCookies([{ name: 'django_language', value: language, url: baseURL ?? '' }]);
      await page.goto('/signup');
    });

    test('a sailor with a license joins, is told so, and comes to /signin', async ({ page, context }) => {
      await page.getByLabel(words.firstName).fill('Anna');
      await page.getByLabel(words.lastName).fill('Nováková');
      await page.getByLabel(words.email).fill(`joined-${language}@example.org`);
      await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
      await page.getByLabel(words.confirm, { exact: true }).fill(PASSWORD);
      await page.getByLabel(words.license).check();
      await page.getByLabel(words.number).fill('CZ-1024');
      await page.getByLabel(words.position).selectOption('Trimer of spinnaker');
      await inspect(page);
      // The confirmation stands until the next page is there: its 3 seconds are not enough to look at it.
      let goOn: () => void = () => undefined;
      const seen = new Promise<void>((resolve) => (goOn = resolve));
      await context.route(`**${chunk('page-sign-in')}`, async (route) => {
        await seen;
        await route.continue();
      });
      await page.getByRole('button', { name: words.create }).click();
      await expect(page.getByRole('status')).toContainText(words.created);
      await expect(page.locator('h1')).toBeFocused();
      await inspect(page);
      goOn();
      await expect(page).toHaveURL('/signin');
      await expect(page.getByText(words.signedInAs)).toBeVisible();
      await inspect(page);
      await mailTo(`joined-${language}@example.org`);
    });

    test('an empty form hears of everything at once', async ({ page }) => {
      await page.getByLabel(words.license).check();
      await page.getByRole('button', { name: words.create }).click();
      await expect(page.getByLabel(words.firstName)).toBeFocused();
      const fields = page.locator('form [aria-invalid="true"]');
      await expect(fields).toHaveCount(words.required.length);
      for (const [index, message] of words.required.entries()) {
        await expect(fields.nth(index)).toHaveAccessibleDescription(new RegExp(`^${message}`));
      }
      await inspect(page);
    });

    test('what the server alone knows is told at the field, and nothing is lost', async ({
      page,
      request,
    }) => {
      const taken = anna(`taken-${language}`);
      await enrol(request, taken);
      const email = page.getByLabel(words.email);
      const password = page.getByLabel(words.password, { exact: true });
      const confirm = page.getByLabel(words.confirm, { exact: true });
      const create = page.getByRole('button', { name: words.create });
      await page.getByLabel(words.firstName).fill('Anna');
      await page.getByLabel(words.lastName).fill('Nováková');
      await password.fill(PASSWORD);
      await confirm.fill(PASSWORD);

      await email.fill(taken.email.toUpperCase());
      await create.click();
      await expect(email).toHaveAccessibleDescription(words.taken);
      await expect(email).toBeFocused();
      await inspect(page);

      await email.fill('anna@-example-.org');
      await create.click();
      await expect(email).toHaveAccessibleDescription(words.invalid);

      await email.fill(`common-${language}@example.org`);
      await password.fill('P@ssw0rd');
      await confirm.fill('P@ssw0rd');
      await create.click();
      await expect(password).toHaveAccessibleDescription(new RegExp(`^${words.common}`));
      await expect(password).toBeFocused();
      await expect(page.getByLabel(words.lastName)).toHaveValue('Nováková');
    });

    test('a lost network loses nothing that was typed', async ({ page, context }) => {
      await page.getByLabel(words.firstName).fill('Anna');
      await page.getByLabel(words.lastName).fill('Nováková');
      await page.getByLabel(words.email).fill(`storm-${language}@example.org`);
      await page.getByLabel(words.password, { exact: true }).fill(PASSWORD);
      await page.getByLabel(words.confirm, { exact: true }).fill(PASSWORD);
      await context.route('**/graphql', (route) => route.abort());
      await page.getByRole('button', { name: words.create }).click();
      await expect(page.getByRole('alert').filter({ hasText: words.unreachable })).toBeVisible();
      await inspect(page);
      await expect(page.getByLabel(words.password, { exact: true })).toHaveValue(PASSWORD);
      await context.unroute('**/graphql');
      await page.getByRole('button', { name: words.create }).click();
      await expect(page.getByRole('status')).toContainText(words.created);
    });
  });
}

test('the button says what is under way', async ({ page, context }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/signup');
  await page.getByLabel('First name').fill('Anna');
  await page.getByLabel('Last name').fill('Nováková');
  await page.getByLabel('Email').fill('slow@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  let sail: () => void = () => undefined;
  const wind = new Promise<void>((resolve) => (sail = resolve));
  await context.route('**/graphql', async (route) => {
    await wind;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeFocused();
  await inspect(page);
  sail();
  await expect(page.getByRole('status')).toContainText('Account created successfully!');
});

test('what went wrong is told in the language that the page is turned to', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('First name').fill('Anna');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByLabel('Last name')).toHaveAccessibleDescription('Last name is required');
  await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
  await expect(page.getByLabel('Příjmení')).toHaveAccessibleDescription('Příjmení je povinné');
  await expect(page.getByLabel('Křestní jméno')).toHaveValue('Anna');
});

test('the whole form is filled in and sent by the keyboard', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('First name').focus();
  const type = (text: string) => page.keyboard.type(text);
  const next = () => page.keyboard.press('Tab');
  await type('Anna');
  await next();
  await type('Nováková');
  await next();
  await type('keys@example.org');
  await next();
  await type(PASSWORD);
  await next();
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await next();
  await type(PASSWORD);
  await next();
  await next();
  await page.keyboard.press('Space');
  await next();
  await expect(page.getByLabel('Captain license number')).toBeFocused();
  await type('CZ-1024');
  await next();
  await type('Helms');
  await expect(page.getByLabel('Favorite sailing position (optional)')).toHaveValue('Helmsman');
  await next();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('Account created successfully!');
});
