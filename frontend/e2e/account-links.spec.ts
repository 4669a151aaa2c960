import type { APIRequestContext, Page } from '@playwright/test';

import { type Account, codeOf, enrol, PASSWORD } from './accounts';
import { ageLinksOf } from './database';
import { inspect } from './inspect';
import { linkIn, mailsTo } from './mailbox';
import { enterAdmin, expect, LANGUAGES, test } from './site';

/** What stands on the pages behind the links, in each language. */
const WORDS = {
  en: {
    verify: 'Verify your email',
    pressVerify: 'Verify my email',
    verified: 'Your email is verified.',
    expired: 'This link has expired',
    renew: 'Send me a new link',
    renewed: 'Check your email',
    unknown: 'This link does not work',
    reset: 'Choose a new password',
    password: 'New password',
    confirm: 'Confirm the new password',
    save: 'Save the new password',
    changed: 'Your new password is set.',
    rules: [
      'Password must be at least 8 characters',
      'Must contain at least one uppercase letter',
      'Must contain at least one number',
      'Must contain at least one special character (@$!%*?&)',
    ],
    differ: 'Passwords do not match',
    changedSubject: 'Your password was changed',
  },
  cs: {
    verify: 'Ověřte svůj e-mail',
    pressVerify: 'Ověřit můj e-mail',
    verified: 'Váš e-mail je ověřený.',
    expired: 'Platnost odkazu vypršela',
    renew: 'Poslat nový odkaz',
    renewed: 'Podívejte se do e-mailu',
    unknown: 'Tento odkaz nefunguje',
    reset: 'Zvolte si nové heslo',
    password: 'Nové heslo',
    confirm: 'Potvrzení nového hesla',
    save: 'Uložit nové heslo',
    changed: 'Vaše nové heslo je nastaveno.',
    rules: [
      'Heslo musí mít alespoň 8 znaků',
      'Musí obsahovat alespoň jedno velké písmeno',
      'Musí obsahovat alespoň jednu číslici',
      'Musí obsahovat alespoň jeden speciální znak (@$!%*?&)',
    ],
    differ: 'Hesla se neshodují',
    changedSubject: 'Vaše heslo bylo změněno',
  },
};

const account = (name: string): Account => ({
  firstName: 'Eva',
  lastName: 'Malá',
  email: `${name}@example.org`,
});

/** The latest of the links of a kind that an address has got, once there are so many. */
async function linkTo(address: string, action: 'verify' | 'reset', count = 1): Promise<string> {
  const links = async () =>
    (await mailsTo(address))
      .filter(({ text }) => text?.includes(`/account/${action}/`))
      .sort((one, other) => Date.parse(one.date ?? '') - Date.parse(other.date ?? ''))
      .map((mail) => linkIn(mail, action));
  await expect.poll(async () => (await links()).length).toBe(count);
  return (await links()).at(-1) ?? '';
}

/** Has an admin send a member the mail to choose a new password. */
async function sendResetMail(page: Page, address: string): Promise<void> {
  await enterAdmin(page);
  await page.goto(`/admin/accounts/user/?q=${encodeURIComponent(address)}`);
  await page.locator('input.action-select').check();
  await page.locator('select[name=action]').selectOption('send_reset_mail');
  await page.locator('#changelist-form .actions button').click();
  await expect(page.locator('.messagelist .success')).toBeVisible();
}

/** Signs up in a language, so that the mails are in it. */
async function join(request: APIRequestContext, member: Account, language: string): Promise<string> {
  await request.get(`/robots.txt?lang=${language}`);
  return enrol(request, member);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

for (const language of LANGUAGES) {
  const words = WORDS[language];

  test.describe(`a link to verify an email (${language})`, () => {
    test('verifies by its button alone, and says the same when it is opened again', async ({
      page,
      request,
    }) => {
      const eva = account(`verify-${language}`);
      await join(request, eva, language);
      const link = await linkTo(eva.email, 'verify');
      await page.goto(link);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(heading(page)).toHaveText(words.verify);
      await inspect(page);
      await page.reload();
      await expect(heading(page), 'to open it verifies nothing').toHaveText(words.verify);
      await page.getByRole('button', { name: words.pressVerify }).click();
      await expect(page.getByRole('status')).toHaveText(words.verified);
      await inspect(page);
      await page.goto(link);
      await expect(page.getByRole('status')).toHaveText(words.verified);
      await expect(page.getByRole('button')).toHaveCount(0);
      await page.getByRole('main').getByRole('link').click();
      await expect(page).toHaveURL('/signin');
      expect(await page.evaluate(() => document.referrer), 'the token stays behind').toBe('');
    });

    test('that has expired offers a new one, which works', async ({ page, request, baseURL }) => {
      const eva = account(`verify-late-${language}`);
      await join(request, eva, language);
      const link = await linkTo(eva.email, 'verify');
      ageLinksOf(eva.email, baseURL);
      await page.goto(link);
      await expect(heading(page)).toHaveText(words.expired);
      await inspect(page);
      await page.getByRole('button', { name: words.renew }).click();
      await expect(heading(page)).toHaveText(words.renewed);
      await inspect(page);
      const newer = await linkTo(eva.email, 'verify', 2);
      expect(newer).not.toBe(link);
      await page.goto(newer);
      await page.getByRole('button', { name: words.pressVerify }).click();
      await expect(page.getByRole('status')).toHaveText(words.verified);
    });
  });

  test.describe(`a link to choose a new password (${language})`, () => {
    test('is sent by an admin, holds to the rules, and ends every session', async ({ page, request }) => {
      const eva = account(`reset-${language}`);
      const token = await join(request, eva, language);
      await sendResetMail(page, eva.email);
      const link = await linkTo(eva.email, 'reset');
      await page.goto(link);
      await expect(heading(page)).toHaveText(words.reset);
      await inspect(page);

      const password = page.getByLabel(words.password, { exact: true });
      const confirm = page.getByLabel(words.confirm);
      await password.fill('abcdefg');
      await confirm.fill('abcdefg');
      await page.getByRole('button', { name: words.save }).click();
      await expect(password).toBeFocused();
      for (const rule of words.rules) await expect(page.getByText(rule, { exact: true })).toBeVisible();
      await inspect(page);
      await password.fill('Green-Harbor7!');
      await confirm.fill('Green-Harbor8!');
      await page.getByRole('button', { name: words.save }).click();
      await expect(confirm).toBeFocused();
      await expect(page.getByText(words.differ)).toBeVisible();
      expect(await codeOf(request, token), 'nothing has changed so far').toBeUndefined();

      await password.fill('Green-Harbor7!');
      await confirm.fill('Green-Harbor7!');
      await page.getByRole('button', { name: words.save }).click();
      await expect(page.getByRole('status')).toHaveText(words.changed);
      await inspect(page);
      expect(await codeOf(request, token)).toBe('UNAUTHENTICATED');
      await expect
        .poll(async () => (await mailsTo(eva.email)).map(({ subject }) => subject))
        .toContain(words.changedSubject);
      await page.goto(link);
      await expect(page.getByRole('status'), 'a used one says so').toHaveText(words.changed);
      await expect(page.locator('input')).toHaveCount(0);

      for (const [tried, isTaken] of [
        [PASSWORD, false],
        ['Green-Harbor7!', true],
      ] as const) {
        const answer = await request.post('/graphql', {
          data: {
            query: 'mutation signIn($input: SignInInput!) { signIn(input: $input) { token } }',
            variables: { input: { email: eva.email, password: tried } },
          },
        });
        expect(((await answer.json()) as { data: object | null }).data !== null).toBe(isTaken);
      }
    });

    test('that has expired offers a new one', async ({ page, request, baseURL }) => {
      const eva = account(`reset-late-${language}`);
      await join(request, eva, language);
      await sendResetMail(page, eva.email);
      const link = await linkTo(eva.email, 'reset');
      ageLinksOf(eva.email, baseURL);
      await page.goto(link);
      await expect(heading(page)).toHaveText(words.expired);
      await inspect(page);
      await page.getByRole('button', { name: words.renew }).click();
      await expect(heading(page)).toHaveText(words.renewed);
      await page.goto(await linkTo(eva.email, 'reset', 2));
      await expect(heading(page)).toHaveText(words.reset);
    });
  });

  for (const kind of ['verify', 'reset']) {
    test(`a malformed link to ${kind} gets a page that helps, with status 404 (${language})`, async ({
      page,
    }) => {
      for (const token of ['x/', `${'y'.repeat(400)}/`, '%3Cscript%3E/', '']) {
        const response = await page.goto(`/account/${kind}/${token}?lang=${language}`);
        expect(response?.status()).toBe(404);
        await expect(heading(page)).toHaveText(words.unknown);
      }
      await inspect(page);
    });
  }
}
