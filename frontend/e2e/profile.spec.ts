import type { BrowserContext, Page } from '@playwright/test';

import { type Account, call, enrol, expectSignedIn, keepToken } from './accounts';
import { inspect } from './inspect';
import { expect, LANGUAGES, test } from './site';

/** What stands on the profile, in each language. */
const WORDS = {
  en: {
    loading: 'Loading your profile...',
    failed: 'Failed to load profile data',
    retry: 'Retry',
    edit: 'Edit Profile',
    firstName: 'First name',
    lastName: 'Last name',
    nickname: 'Nickname (optional)',
    nationality: 'Nationality (optional)',
    phone: 'Phone (optional)',
    save: 'Save Changes',
    cancel: 'Cancel',
    saved: 'Profile updated successfully!',
    resend: 'Resend Verification',
    pause: 'The last mail went out less than three minutes ago.',
    required: 'First name is required',
    tooShort: 'Last name must be at least 2 characters',
    tooLong: 'Please use at most 150 characters',
    invisible: 'Please remove the invisible control characters',
    phoneInvalid: 'Please enter a valid phone number',
    kept: 'Left blank, it stays as it is: Evča',
    unreachable: 'Failed to update profile. Please check your connection and try again.',
    quoted: '“Evča”',
    joined: { month: 'long', day: 'numeric', year: 'numeric', locale: 'en-US' },
  },
  cs: {
    loading: 'Načítáme váš profil…',
    failed: 'Údaje profilu se nepodařilo načíst',
    retry: 'Zkusit znovu',
    edit: 'Upravit profil',
    firstName: 'Křestní jméno',
    lastName: 'Příjmení',
    nickname: 'Přezdívka (nepovinné)',
    nationality: 'Národnost (nepovinné)',
    phone: 'Telefon (nepovinné)',
    save: 'Uložit změny',
    cancel: 'Zrušit',
    saved: 'Profil je úspěšně upraven!',
    resend: 'Poslat ověření znovu',
    pause: 'Poslední zpráva odešla před méně než třemi minutami.',
    required: 'Křestní jméno je povinné',
    tooShort: 'Příjmení musí mít alespoň 2 znaky',
    tooLong: 'Použijte prosím nejvýše 150 znaků',
    invisible: 'Odstraňte prosím neviditelné řídicí znaky',
    phoneInvalid: 'Zadejte prosím platné telefonní číslo',
    kept: 'Necháte-li pole prázdné, zůstane v něm: Evča',
    unreachable: 'Profil se nepodařilo upravit. Zkontrolujte prosím připojení a zkuste to znovu.',
    quoted: '„Evča“',
    joined: { month: 'long', day: 'numeric', year: 'numeric', locale: 'cs-CZ' },
  },
} as const;

const today = (language: keyof typeof WORDS) =>
  new Intl.DateTimeFormat(WORDS[language].joined.locale, WORDS[language].joined).format();

const account = (name: string): Account => ({
  firstName: 'Eva',
  lastName: 'Malá',
  email: `${name}@example.org`,
});

test('what a member typed is text, whatever it looks like', async ({ page }) => {
  const script = (place: string) => `"><img src=x onerror=alert('${place}')><script>alert(1)</script>`;
  const [firstName, lastName, nickname] = ['first', 'last', 'nick'].map(script) as [string, string, string];
  const hostile = { firstName, lastName, email: 'profile-hostile@example.org' };
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const token = await enrol(page.request, hostile);
  await keepToken(page, token);
  await call(
    page.request,
    'mutation updateProfile($input: UpdateProfileInput!) { updateProfile(input: $input) { id } }',
    { variables: { input: { nickname, nationality: nickname } }, token },
  );
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${firstName} ${lastName}`);
  await expect(page.getByRole('main')).toContainText(nickname);
  await expectSignedIn(page, hostile);
  await page.getByRole('button', { name: WORDS.en.edit }).click();
  await expect(page.getByLabel(WORDS.en.nickname)).toHaveValue(nickname);
  await page.goto('/signin');
  await expect(page.getByRole('main')).toContainText(firstName);
  await expect(page.locator('img[src="x"], [onerror]')).toHaveCount(0);
  expect(dialogs).toEqual([]);
});

for (const language of LANGUAGES) {
  const words = WORDS[language];

  /** Lets the browser be a new member's, in this language. */
  async function be(page: Page, name: string, baseURL: string | undefined): Promise<string> {
    await page.context().addCookies([{ name: 'django_language', value: language, url: baseURL ?? '' }]);
    const token = await enrol(page.request, account(`profile-${name}-${language}`));
    await keepToken(page, token);
    return token;
  }

  const update = (page: Page, token: string, input: object) =>
    call(
      page.request,
      'mutation updateProfile($input: UpdateProfileInput!) { updateProfile(input: $input) { id } }',
      { variables: { input }, token },
    );

  const name = (page: Page) => page.getByRole('heading', { level: 1 });
  const press = (page: Page, button: string) => page.getByRole('button', { name: button }).click();
  const silence = (context: BrowserContext) => context.route('**/graphql', (route) => route.abort());

  test.describe(`the profile (${language})`, () => {
    test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

    test('says that it is on its way, that it failed, and comes with Retry', async ({
      page,
      context,
      baseURL,
    }) => {
      await be(page, 'wait', baseURL);
      let fail: () => void = () => undefined;
      const failed = new Promise<void>((resolve) => {
        fail = resolve;
      });
      await context.route('**/graphql', async (route) => {
        await failed;
        await route.abort();
      });
      await page.goto('/profile');
      await expect(page.getByRole('main').getByRole('status')).toHaveText(words.loading);
      await inspect(page);
      fail();
      await expect(page.getByRole('alert')).toHaveText(words.failed);
      await inspect(page);
      await context.unroute('**/graphql');
      const reloaded = page.waitForEvent('load');
      await press(page, words.retry);
      await reloaded;
      await expect(name(page)).toHaveText('Eva Malá');
    });

    test('is read in full, in part, and without a verified email', async ({ page, baseURL }) => {
      const token = await be(page, 'read', baseURL);
      await page.goto('/profile');
      await expect(name(page)).toHaveText('Eva Malá');
      await expect(page.getByRole('definition').filter({ hasText: today(language) })).toHaveCount(2);
      await expect(page.getByRole('definition')).toHaveCount(4);
      await inspect(page);
      await press(page, words.resend);
      await expect(page.getByRole('status').filter({ hasText: words.pause })).toBeVisible();
      await inspect(page);

      await update(page, token, { nickname: 'Evča', phone: '+420 777 123 456', nationality: 'Czech' });
      await page.reload();
      await expect(page.getByText(words.quoted)).toBeVisible();
      await expect(page.getByRole('definition').filter({ hasText: /^\+420 777 123 456$/ })).toBeVisible();
      await expect(page.getByRole('definition').filter({ hasText: /^Czech$/ })).toBeVisible();
      await inspect(page);
    });

    test('is edited with the keyboard alone', async ({ page, baseURL }) => {
      await be(page, 'keys', baseURL);
      await page.goto('/profile');
      await page.getByRole('button', { name: words.edit }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByLabel(words.firstName)).toBeFocused();
      await inspect(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Evča');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('status').filter({ hasText: words.saved })).toBeVisible();
      await expect(page.getByRole('button', { name: words.edit })).toBeFocused();
      await inspect(page);
      await expect(page.getByText(words.quoted)).toBeVisible();
      await expect(page.getByText(words.saved)).toHaveCount(0);
    });

    test('refuses what breaks a rule, under its field, and keeps what was typed', async ({
      page,
      baseURL,
    }) => {
      await be(page, 'rules', baseURL);
      await page.goto('/profile');
      await press(page, words.edit);
      const refusals = [
        [words.firstName, ' ', words.required],
        [words.lastName, 'M', words.tooShort],
        [words.nickname, 'é'.repeat(151), words.tooLong],
        [words.nationality, 'Cz\u202eech', words.invisible],
        [words.phone, '12345', words.phoneInvalid],
      ] as const;
      for (const [label, text] of refusals) await page.getByLabel(label).fill(text);
      await press(page, words.save);
      await expect(page.getByLabel(words.firstName)).toBeFocused();
      for (const [label, text, refusal] of refusals) {
        await expect(page.getByLabel(label)).toHaveAccessibleDescription(refusal);
        await expect(page.getByLabel(label)).toHaveValue(text);
      }
      await inspect(page);
      await press(page, words.cancel);
      await expect(name(page)).toHaveText('Eva Malá');
    });

    test('keeps what an optional field said when it is blanked, and says so', async ({ page, baseURL }) => {
      const token = await be(page, 'kept', baseURL);
      await update(page, token, { nickname: 'Evča' });
      await page.goto('/profile');
      await press(page, words.edit);
      await page.getByLabel(words.nickname).fill('');
      await expect(page.getByLabel(words.nickname)).toHaveAccessibleDescription(words.kept);
      await inspect(page);
      await press(page, words.save);
      await expect(page.getByText(words.saved)).toBeVisible();
      await expect(page.getByText(words.quoted)).toBeVisible();
    });

    test('stays in edit mode when it cannot be saved, and is saved by the next try', async ({
      page,
      context,
      baseURL,
    }) => {
      await be(page, 'lost', baseURL);
      await page.goto('/profile');
      await press(page, words.edit);
      await page.getByLabel(words.firstName).fill('Evelína');
      await silence(context);
      await press(page, words.save);
      await expect(page.getByRole('alert').filter({ hasText: words.unreachable })).toBeVisible();
      await expect(page.getByLabel(words.firstName)).toHaveValue('Evelína');
      await inspect(page);
      await context.unroute('**/graphql');
      await press(page, words.save);
      await expect(name(page)).toHaveText('Evelína Malá');
      await expect(page.getByRole('banner').getByRole('button', { name: 'Evelína' })).toBeVisible();
    });
  });
}
