import type { Page } from '@playwright/test';

import {
  ADMIN,
  becomeAdmin,
  becomeMember,
  createAccount,
  newAccount,
  newAddress,
  PASSWORD,
  requestToken,
  sendResetMail,
  storeToken,
} from './accounts';
import { hold } from './chunks';
import { expectNoEnglish } from './english';
import { findHiddenFocus, inspect, inspectOverlay, OVERLAY } from './inspect';
import { expireLinks, linkIn, linkTo, mailTo } from './mailbox';
import { HELP_PATHS, message, ROUTES } from './pages';
import {
  chooseLanguage,
  DESKTOP,
  expect,
  type Language,
  LANGUAGES,
  open,
  PHONE,
  SWEEP,
  TABLET,
  test,
  waitForHydration,
} from './site';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const submit = (page: Page) => page.locator('form button[type=submit]');

/** Inspect each menu of the header, opened in the given window. */
async function inspectMenus(page: Page, viewport: Viewport): Promise<void> {
  const buttons = page.locator('header :is(button[aria-haspopup="dialog"], button[popovertarget])');
  await expect(buttons).not.toHaveCount(0);
  await page.setViewportSize(viewport);
  for (const button of await buttons.filter({ visible: true }).all()) {
    await button.click();
    await inspectOverlay(page);
    await page.keyboard.press('Escape');
    await expect(page.locator(OVERLAY)).toHaveCount(0);
  }
}

type Viewport = typeof DESKTOP;

/** Inspect the present state in the given window; in Czech also that no English is left. */
async function inspectStateAt(
  page: Page,
  name: string,
  viewport: Viewport,
  { language = 'cs', part }: { language?: Language; part?: string } = {},
): Promise<void> {
  await test.step(name, async () => {
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(heading(page)).toHaveCount(1);
    await inspect(page, [viewport], part);
    if (language === 'cs') await expectNoEnglish(page);
  });
}

/**
 * Each language in one window: the texts of a page are what differs between languages, its elements between windows.
 * In English, one page with each header is inspected in both windows, and so are its menus. In Czech, only the pages that
 * most people see are, and their menus in one window.
 */
const WINDOWS = { en: DESKTOP, cs: PHONE };
const OTHER_WINDOWS = { en: PHONE, cs: DESKTOP };
const MOST_SEEN = ['/landing', '/events', '/dashboard'];

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, language === 'en' ? SWEEP : {}, () => {
    test.beforeEach(({ page, baseURL }) => chooseLanguage(page, language, baseURL));

    for (const access of ['public', 'member']) {
      const routes = ROUTES.filter((route) => route.access === access);

      test(`${access} pages and their menus are accessible, and lack no file`, async ({ page }) => {
        const missing: string[] = [];
        page.on('response', (response) => {
          if (response.url().includes('/static/') && response.status() >= 400) missing.push(response.url());
        });
        const headers = new Set<string>();
        const headerWindow = access === 'member' ? DESKTOP : PHONE;
        if (access === 'member') await becomeMember(page);
        for (const { path, head } of routes) {
          await test.step(path, async () => {
            await page.setViewportSize(access === 'member' ? DESKTOP : WINDOWS[language]);
            await page.goto(path);
            await expect(page).toHaveTitle(message(language, `${head}Title`));
            await expect(heading(page)).not.toHaveText(message(language, 'memberWait.title'));
            if (access === 'member')
              await expect(page.getByRole('banner').getByRole('button', { name: 'Eva' })).toBeVisible();
            await waitForHydration(page);
            expect(new URL(page.url()).pathname).toBe(path);
            await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
            await inspectStateAt(page, 'the page', WINDOWS[language], { language });
            if (language === 'cs' && !MOST_SEEN.includes(path)) return;
            await page.setViewportSize(DESKTOP);
            const header = await page.getByRole('banner').innerText();
            // The sign-in form has a layout of its own, under a header of others.
            if (headers.has(header) && path !== '/signin') return;
            headers.add(header);
            await inspect(page, [OTHER_WINDOWS[language]]);
            for (const viewport of language === 'cs' ? [headerWindow] : [DESKTOP, PHONE])
              await inspectMenus(page, viewport);
          });
        }
        expect(missing).toEqual([]);
      });
    }
  });
}

test('nothing hides the focus in a desktop window at 400 %', SWEEP, async ({ page }) => {
  test.slow();
  await page.setViewportSize({ width: 320, height: 256 });
  const paths = ['/admin/', '/admin/newsletter/subscription/', '/admin/campaigns/campaign/add/'];
  await becomeAdmin(page);
  await becomeMember(page);
  for (const path of [...ROUTES.map((route) => route.path), ...paths]) {
    await page.goto(path);
    if (!path.startsWith('/admin/')) await waitForHydration(page);
    expect.soft(await findHiddenFocus(page), path).toEqual([]);
  }
});

// In Czech, whose texts are longer: the elements of a state are the same in both languages. `make test` checks only the
// forms that everybody fills in, on a phone, where room is scarcest.
for (const viewport of [PHONE, DESKTOP]) {
  const sample = viewport === PHONE ? {} : SWEEP;

  test.describe(`in cs at ${viewport.width} px`, () => {
    // The header and the footer are inspected on each page.
    const inspectState = (page: Page, name: string) => inspectStateAt(page, name, viewport, { part: 'main' });

    test.beforeEach(({ page, baseURL }) => chooseLanguage(page, 'cs', baseURL));

    test('the legal documents and the help of the 404 page are accessible', SWEEP, async ({ page }) => {
      for (const path of HELP_PATHS) {
        await open(page, path);
        await inspectState(page, path);
      }
      const link = page
        .getByRole('contentinfo')
        .getByRole('link', { name: message('cs', 'legalLinks.privacy') });
      await link.click();
      for (const name of ['privacy', 'terms'] as const) {
        await page
          .getByRole('dialog')
          .getByRole('link', { name: message('cs', `legalLinks.${name}`) })
          .click();
        await expect(page.getByRole('dialog')).toHaveAccessibleName(message('cs', `legal.${name}Title`));
        await inspectState(page, name);
        await inspectOverlay(page);
      }
      await page.goBack();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(link).toBeFocused();
      await page.goForward();
      await expect(page).toHaveURL(/#terms$/);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page).toHaveURL(/settings$/);
    });

    test('states of the newsletter and of its mail links are accessible', sample, async ({ page }) => {
      const address = newAddress();
      await open(page, '/newsletter');
      await submit(page).click();
      await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
      await inspectState(page, 'a refused email');

      await page.route('**/graphql', (route) => route.abort());
      await page.getByRole('textbox').fill(address);
      await submit(page).click();
      await expect(page.getByRole('alert')).not.toBeEmpty();
      await inspectState(page, 'no server');
      await page.unroute('**/graphql');
      await submit(page).click();
      await expect(page.locator('form')).toHaveCount(0);
      await inspectState(page, 'subscribed');

      const mail = await mailTo(address);
      for (const purpose of ['confirm', 'manage'] as const) {
        await page.goto(linkIn(mail, purpose));
        await inspectState(page, purpose);
        await page.locator('main button').first().click(); // the second one is "This was not me"
        await expect(page.getByRole('status')).toBeVisible();
        await inspectState(page, `${purpose}: done`);
      }
      await page.goto('/newsletter/confirm/broken/');
      await inspectState(page, 'a broken link');
    });

    test('states of the mail links to a member are accessible', SWEEP, async ({ page }) => {
      const account = newAccount();
      const button = page.locator('main button[type=submit]');
      await createAccount(page.request, account);
      await sendResetMail(page, account);
      await page.goto(await linkTo(account.email, 'reset'));
      await inspectState(page, 'reset');
      const passwords = page.locator('main input[type=password]');
      await passwords.first().fill('abcdefg');
      await passwords.last().fill('abcdefg');
      await passwords.last().press('Enter');
      await expect(passwords.first()).toBeFocused();
      await inspectState(page, 'reset: broken rules');
      await page.goto(await linkTo(account.email, 'verify'));
      await inspectState(page, 'verify');

      await expireLinks(account.email);
      await page.reload();
      await inspectState(page, 'verify: expired');
      await button.first().click();
      await inspectState(page, 'verify: a new link is sent');
      await page.goto(await linkTo(account.email, 'verify', 2));
      await button.first().click();
      await expect(page.getByRole('status')).toBeVisible();
      await inspectState(page, 'verify: done');

      await page.goto(await linkTo(account.email, 'reset'));
      await inspectState(page, 'reset: expired');
      await button.first().click();
      await page.goto(await linkTo(account.email, 'reset', 2));
      await passwords.first().fill('Green-Harbor7!');
      await passwords.last().fill('Green-Harbor7!');
      await passwords.last().press('Enter');
      await expect(page.getByRole('status')).toBeVisible();
      await inspectState(page, 'reset: done');

      for (const purpose of ['verify', 'reset']) {
        const response = await page.goto(`/account/${purpose}/broken/`);
        expect(response?.status()).toBe(404);
        await inspectState(page, `${purpose}: a broken link`);
      }
    });

    const field = (page: Page, name: string) =>
      page.getByLabel(message('cs', `auth.${name}`), { exact: true });

    test('states of signing up are accessible', sample, async ({ page }) => {
      const account = newAccount();
      await open(page, '/signup');
      await field(page, 'captainLicense').check();
      await submit(page).click();
      await expect(page.locator('form [aria-invalid="true"]')).toHaveCount(6);
      await inspectState(page, 'an empty sign-up form');
      for (const name of ['firstName', 'lastName', 'email'] as const)
        await field(page, name).fill(account[name]);
      for (const name of ['password', 'confirmPassword']) await field(page, name).fill(PASSWORD);
      await field(page, 'captainLicenseNumber').fill('CZ-1024');
      await page.route('**/graphql', (route) => route.abort());
      await submit(page).click();
      await expect(page.locator('form').getByRole('alert')).not.toBeEmpty();
      await inspectState(page, 'sign-up without a server');
      await page.unroute('**/graphql');
      const signUp = await hold(page, '**/graphql');
      await submit(page).click();
      await expect(submit(page)).toHaveText(message('cs', 'auth.creatingAccount'));
      await inspectState(page, 'sign-up under way');
      await signUp.release();
      await expect(page.getByRole('status')).toContainText(message('cs', 'auth.created'));
      await inspectState(page, 'signed up'); // shown for three seconds only
    });

    test('states of signing in are accessible', SWEEP, async ({ page }) => {
      await becomeMember(page);
      await open(page, '/signin');
      await expect(page.getByRole('main').getByText('Eva Malá')).toBeVisible();
      await inspectState(page, 'signed in already');
      await page.evaluate(() => localStorage.clear());
      await open(page, '/signin');
      await submit(page).click();
      await expect(field(page, 'password')).toHaveAttribute('aria-invalid', 'true');
      await inspectState(page, 'an empty sign-in form');
      await field(page, 'email').fill(newAddress());
      await field(page, 'password').fill('not the password');
      const signIn = await hold(page, '**/graphql');
      await submit(page).click();
      await expect(submit(page)).toHaveText(message('cs', 'auth.signingIn'));
      await inspectState(page, 'sign-in under way');
      await signIn.release();
      await expect(page.locator('form').getByRole('alert')).not.toBeEmpty();
      await inspectState(page, 'a wrong password');
    });

    test('states of a session are accessible', SWEEP, async ({ page, request }) => {
      await becomeMember(page);
      const me = await hold(page, '**/graphql');
      await open(page, '/profile');
      await expect(page.getByRole('main').getByRole('status')).toBeVisible();
      await inspectState(page, 'the profile, loading');
      await open(page, '/notifications');
      await expect(page.getByRole('main').getByRole('status')).toBeVisible();
      await inspectState(page, 'a page that waits for its member');
      await me.release();
      await page.route('**/graphql', (route) => route.abort());
      await open(page, '/profile');
      await expect(page.getByText(message('cs', 'profile.loadFailed'))).toBeVisible();
      await inspectState(page, 'the profile, failed');
      await open(page, '/notifications');
      await expect(page.getByRole('main').getByRole('button')).toBeVisible();
      await inspectState(page, 'a page whose member cannot be loaded');
      await page.unroute('**/graphql');

      await storeToken(page, (await requestToken(request, ADMIN, ADMIN.password)) ?? '');
      await page.setViewportSize(DESKTOP);
      await open(page, '/dashboard');
      await expect(page.getByRole('main').getByText(ADMIN.email)).toBeVisible();
      await inspectStateAt(page, 'a member without a name', viewport);
      await inspectMenus(page, viewport);
    });

    test('states of the profile are accessible', sample, async ({ page }) => {
      const label = (id: string) => message('cs', id);
      const press = (id: string) => page.getByRole('button', { name: label(id) }).click();
      await becomeMember(page);
      await open(page, '/profile');
      await press('profile.resend');
      await expect(page.getByRole('main').getByRole('alert').filter({ hasText: /\S/ })).toBeVisible();
      await inspectState(page, 'the verification mail is not sent again so soon');
      await press('profile.edit');
      for (const id of ['auth.firstName', 'auth.lastName', 'profile.phone']) {
        await page.getByLabel(label(id)).fill('1');
      }
      await press('profile.save');
      await expect(page.locator('form [aria-invalid="true"]')).toHaveCount(3);
      await inspectState(page, 'the edit form, refused');
      await page.getByLabel(label('auth.firstName')).fill('Eva');
      await page.getByLabel(label('auth.lastName')).fill('Malá');
      await page.getByLabel(label('profile.phone')).fill('+420 777 123 456');
      await page.route('**/graphql', (route) => route.abort());
      await press('profile.save');
      await expect(page.getByRole('alert').filter({ hasText: label('profile.saveFailed') })).toBeVisible();
      await inspectState(page, 'the edit form, not saved');
      await page.unroute('**/graphql');
      await press('profile.save');
      await expect(page.getByText(label('profile.saved'))).toBeVisible();

      for (const id of ['changePassword', 'changeEmail', 'download', 'signOutEverywhere', 'deleteOpen']) {
        await press(`profile.${id}`);
        if (id === 'changePassword') {
          await press('account.savePassword');
          await expect(page.locator('form [aria-invalid="true"]')).toHaveCount(2);
        }
        await inspectOverlay(page);
        await page.keyboard.press('Escape');
      }
    });

    test('states of the app screens are accessible', SWEEP, async ({ page }) => {
      const label = (id: string) => message('cs', id);
      const main = page.getByRole('main');
      const dialog = page.getByRole('dialog');
      await page.clock.setFixedTime(new Date(2026, 6, 15, 12));

      await open(page, '/marketplace');
      await page.getByRole('article', { name: 'Bora' }).getByRole('button').click();
      await expect(dialog).toBeVisible();
      await inspectState(page, 'the details of a boat');
      await open(page, '/marketplace?search=zeppelin');
      await expect(page.getByText(label('marketplace.noneFound'))).toBeVisible();
      await inspectState(page, 'no boats');
      await page.setViewportSize(viewport);
      await open(page, '/marketplace?minPrice=100&maxPrice=500&from=2099-05-02&to=2099-05-09');
      if (viewport === PHONE) {
        await page.getByRole('button', { name: new RegExp(`^${label('marketplace.filters')}`) }).click();
        await expect(dialog).toBeVisible();
        await inspectOverlay(page);
        await page.reload();
        await waitForHydration(page);
      }
      await inspectState(page, 'filters');

      await open(page, '/academy?category=racing&level=beginner');
      await expect(main.getByText(label('academy.noneFound'))).toBeVisible();
      await inspectState(page, 'no courses');

      for (const size of viewport === PHONE ? [PHONE] : [DESKTOP, TABLET]) {
        await page.setViewportSize(size);
        await open(page, '/events');
        if (size === PHONE) await main.getByRole('button', { name: 'úterý 14. července' }).click();
        await main.getByRole('button', { name: /^\+2/ }).click();
        await expect(dialog).toBeVisible();
        await inspectOverlay(page);
        await dialog.getByRole('button', { name: 'Snídaně' }).click();
        await expect(dialog).toHaveCount(2);
        await inspectOverlay(page);
      }
      await open(page, '/events?month=2030-01&type=race');
      await expect(main.getByRole('status')).toContainText('2030');
      await inspectState(page, 'no events');

      await becomeMember(page);
      await page.setViewportSize(DESKTOP);
      await open(page, '/notifications');
      await main
        .getByRole('button', { name: label('notifications.markRead') })
        .first()
        .click();
      await inspectState(page, 'one notification read');
      await main.getByRole('button', { name: label('notifications.markAllRead') }).click();
      await expect(main.getByRole('button', { name: label('notifications.markRead') })).toHaveCount(0);
      await main.getByRole('button', { name: label('notifications.loadOlder') }).click();
      await inspectState(page, 'all notifications read');
      await inspectOverlay(page); // a toast
    });
  });
}
