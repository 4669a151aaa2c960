import type { Page } from '@playwright/test';

import { becomeAdmin, becomeMember, newAccount, newAddress, PASSWORD } from './accounts';
import { hold } from './chunks';
import { runInDjango } from './django';
import { expectNoEnglish } from './english';
import { expectVisibleFocus, inspect, inspectOverlay, OVERLAY } from './inspect';
import { HELP_PATHS, message, ROUTES } from './pages';
import {
  button,
  chooseLanguage,
  DESKTOP,
  dialog,
  expect,
  findMarkupErrors,
  heading,
  type Language,
  LANGUAGES,
  main,
  open,
  PHONE,
  SWEEP,
  test,
  waitForHydration,
} from './site';

type Viewport = typeof DESKTOP;

const submit = (page: Page) => page.locator('form button[type=submit]');

/** Inspect each menu of the header, opened in the given window. */
async function inspectMenus(page: Page, viewport: Viewport): Promise<void> {
  const buttons = page.locator('header :is(button[aria-haspopup="dialog"], button[popovertarget])');
  await expect(buttons).not.toHaveCount(0);
  await page.setViewportSize(viewport);
  for (const opener of await buttons.filter({ visible: true }).all()) {
    await opener.click();
    await inspectOverlay(page);
    await page.keyboard.press('Escape');
    await expect(page.locator(OVERLAY)).toHaveCount(0);
  }
}

/** Inspect the present state in the given windows; in Czech also that no English is left. */
async function inspectStateAt(
  page: Page,
  name: string,
  viewports: Viewport[],
  { language = 'cs', part }: { language?: Language; part?: string } = {},
): Promise<void> {
  await test.step(name, async () => {
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(heading(page)).toHaveCount(1);
    await inspect(page, viewports, part);
    if (language === 'cs') await expectNoEnglish(page);
  });
}

/** Expect the controls of the header in one row within the window. */
async function expectHeaderRow(page: Page): Promise<void> {
  const controls = page.getByRole('banner').locator('a:visible, button:visible');
  const rows = await controls.evaluateAll((elements) =>
    elements.map((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return left >= 0 && right <= innerWidth && Math.round((top + bottom) / 2);
    }),
  );
  expect.soft(rows, page.url()).toEqual(rows.map(() => rows.find(Number)));
}

/** One page with each menu: the full-screen one, and those of visitors and of members. */
const MENU_PATHS = ['/', '/events', '/dashboard'];

// In Czech in one window: its texts are longer, but the elements are the same.
for (const language of LANGUAGES) {
  test.describe(`in ${language}`, language === 'en' ? SWEEP : {}, () => {
    test.beforeEach(({ page, baseURL }) => chooseLanguage(page, language, baseURL));

    for (const access of ['public', 'member']) {
      test(`${access} pages and their menus are accessible, and lack no file`, async ({ page }) => {
        test.slow();
        const missing: string[] = [];
        page.on('response', (response) => {
          if (response.url().includes('/static/') && response.status() >= 400) missing.push(response.url());
        });
        if (access === 'member') await becomeMember(page);
        for (const { path, head } of ROUTES.filter((route) => route.access === access)) {
          await page.setViewportSize(DESKTOP);
          await page.goto(path);
          await expect(page).toHaveTitle(message(language, `${head}Title`));
          await waitForHydration(page);
          if (access === 'member')
            await expect(page.getByRole('banner').getByRole('button', { name: 'Eva' })).toBeVisible();
          await expect(page).toHaveURL(path);
          await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
          await inspectStateAt(page, path, language === 'en' ? [DESKTOP, PHONE] : [PHONE], { language });
          await expectHeaderRow(page);
          if (!MENU_PATHS.includes(path)) continue;
          for (const viewport of [DESKTOP, PHONE]) await inspectMenus(page, viewport);
        }
        expect(missing).toEqual([]);
      });
    }
  });
}

const ADMIN_PATHS = ['', 'newsletter/subscription/', 'campaigns/campaign/add/', 'campaigns/segment/add/'];

// In a desktop window at 400 %.
for (const [name, paths, details] of [
  ['the first pages', ['/landing', '/marketplace'], {}],
  ['any page', [...ROUTES.map(({ path }) => path), ...ADMIN_PATHS.map((path) => `/admin/${path}`)], SWEEP],
] as const) {
  test(`nothing hides the focus on ${name}`, details, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width: 320, height: 256 });
    await becomeAdmin(page);
    await becomeMember(page);
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'networkidle' }); // until the header is that of a member
      if (!path.startsWith('/admin/')) await waitForHydration(page);
      await expectVisibleFocus(page);
      if (path !== '/marketplace') continue;
      await page.setViewportSize({ width: 1280, height: 600 });
      await expectVisibleFocus(page);
      await page.setViewportSize({ width: 390, height: 600 });
      await button(page, /^Filters/).click();
      await expectVisibleFocus(page); // between the head and the foot of the dialog
      await page.setViewportSize({ width: 320, height: 256 });
    }
  });
}

/** Store for each purpose two links that can be opened, and where links expire one that has. */
async function writeLinks(): Promise<Record<'open' | 'notMe' | 'expired', string[]>> {
  const json = await runInDjango(`
import json
from datetime import timedelta
from uuid import uuid4
from django.conf import settings
from accounts.models import AccountLink, User
from newsletter import tokens
from newsletter.models import Interest, Subscription, SubscriptionLink
from sailing.mail.links import link_url
def write(view, purpose, lifetime=None):
    email = f"{uuid4()}@example.org"
    if view.startswith("accounts:"):
        user = User.objects.create_user(f"old-{email}" if purpose == "change-email" else email, "${PASSWORD}")
        token = AccountLink.issue(purpose, lifetime=lifetime, user=user, email=email)
    else:
        subscription = Subscription.objects.create(email=email, user_type="sailor", language="cs")
        if purpose == "manage":
            token = tokens.build(subscription.pk)
        else:
            token = SubscriptionLink.issue(purpose, lifetime=lifetime, subscription=subscription)
    return link_url(view, token=token, language="cs").removeprefix(settings.SITE_URL)
expiring = {"accounts:verify": "verify", "accounts:reset": "reset", "accounts:change_email": "change-email",
    "newsletter:confirm": "confirm"}
views = {**expiring, "newsletter:manage": "manage"}
Interest.objects.get_or_create(name_en="Regattas & races", name_cs="Regaty & závody")
print(json.dumps({
    "open": [write(*each) for each in views.items()],
    "notMe": [write(*each) for each in views.items()],
    "expired": [write(*each, timedelta(days=-1)) for each in expiring.items() if each[1] != "change-email"],
}))`);
  return JSON.parse(json) as Record<'open' | 'notMe' | 'expired', string[]>;
}

test('error pages and mails are valid HTML', SWEEP, async () => {
  for (const language of LANGUAGES) {
    const json = await runInDjango(`
import json
from pathlib import Path
from django.template.loader import render_to_string
from django.utils.translation import override
folder = Path("templates")
names = [str(path.relative_to(folder)) for path in [*folder.glob("[45]*.html"), *folder.glob("mails/*/*.html")]]
context = {"language": "${language}", "subject": "Fair winds", "hours": 72, "layout": "mails/base.html", "is_html": True}
with override("${language}"):
    print(json.dumps({name: render_to_string(name, context) for name in names}))`);
    for (const [name, html] of Object.entries(JSON.parse(json) as Record<string, string>))
      expect.soft(await findMarkupErrors(html), name).toEqual([]);
  }
});

// In Czech, whose texts are longer. `make test` checks only the forms that everybody fills in, on a phone.

// The header and the footer are inspected on each page.
const inspectState = (page: Page, name: string) =>
  inspectStateAt(page, name, test.info().tags.includes(SWEEP.tag) ? [DESKTOP, PHONE] : [PHONE], {
    part: 'main',
  });
const label = (id: string) => message('cs', id);
const field = (page: Page, id: string) => page.getByLabel(label(id), { exact: true });
const press = (page: Page, id: string) => page.getByRole('button', { name: label(id) }).click();

test.describe('in Czech', () => {
  test.beforeEach(({ page, baseURL }) => chooseLanguage(page, 'cs', baseURL));

  test('the legal documents and the help of the 404 page', SWEEP, async ({ page }) => {
    for (const path of HELP_PATHS) {
      await open(page, path);
      await inspectState(page, path);
    }
    for (const name of ['privacy', 'terms'] as const) {
      await page.locator(`footer a[href="#${name}"]`).click();
      await expect(page.getByRole('dialog')).toHaveAccessibleName(label(`legal.${name}Title`));
      await inspectOverlay(page);
      await page.keyboard.press('Escape');
    }
  });

  test('the pages behind the links of mails', SWEEP, async ({ page }) => {
    test.slow();
    page.setDefaultTimeout(15_000);
    const links = await writeLinks();
    for (const path of links.open) {
      await page.goto(path);
      await inspectState(page, path);
      const answered = page.waitForEvent('load');
      await page.evaluate(() => document.querySelector<HTMLFormElement>('main form')?.submit()); // maybe incomplete
      await answered;
      await inspectState(page, `${path}, answered`);
    }
    const actions = [
      ...links.notMe.map((path) => ['not_me', `${path}&not-me=1`] as const),
      ...links.expired.map((path) => ['renew', path] as const),
    ];
    for (const [name, path] of actions) {
      await page.goto(path);
      await inspectState(page, path);
      await page.locator(`main [name=${name}]`).click();
      await inspectState(page, `${path}, ${name}`);
    }
    for (const path of [
      '/newsletter/subscribed/',
      '/account/verify/unknown/',
      '/newsletter/confirm/unknown/',
    ]) {
      await page.goto(path);
      await inspectState(page, path);
    }
  });

  test('states of the newsletter', async ({ page }) => {
    await open(page, '/newsletter');
    await submit(page).click();
    await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
    await inspectState(page, 'a refused email');
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('textbox').fill(newAddress());
    await submit(page).click();
    await expect(page.getByRole('alert')).not.toBeEmpty();
    await inspectState(page, 'no server');
    await page.unroute('**/graphql');
    await submit(page).click();
    await expect(page.locator('form')).toHaveCount(0);
    await inspectState(page, 'subscribed');
  });

  test('states of signing up', async ({ page }) => {
    const account = newAccount();
    await open(page, '/signup');
    await field(page, 'auth.captainLicense').check();
    await submit(page).click();
    await expect(page.locator('form [aria-invalid="true"]')).toHaveCount(6);
    await inspectState(page, 'an empty sign-up form');
    for (const name of ['firstName', 'lastName', 'email'] as const)
      await field(page, `auth.${name}`).fill(account[name]);
    for (const name of ['password', 'confirmPassword']) await field(page, `auth.${name}`).fill(PASSWORD);
    await field(page, 'auth.captainLicenseNumber').fill('CZ-1024');
    const signUp = await hold(page, '**/graphql');
    await submit(page).click();
    await expect(submit(page)).toHaveText(label('auth.creatingAccount'));
    await inspectState(page, 'sign-up under way');
    await signUp.release();
    await expect(page.getByRole('status')).toContainText(label('auth.created'));
    await inspectState(page, 'signed up'); // shown for three seconds only
  });

  test('states of signing in', SWEEP, async ({ page }) => {
    await becomeMember(page);
    await open(page, '/signin');
    await expect(main(page).getByText('Eva Malá')).toBeVisible();
    await inspectState(page, 'signed in already');
    await field(page, 'auth.email').fill(newAddress());
    await field(page, 'auth.password').fill('not the password');
    await submit(page).click();
    await expect(page.locator('form').getByRole('alert')).not.toBeEmpty();
    await inspectState(page, 'a wrong password');
  });

  test('states of a session', SWEEP, async ({ page }) => {
    await becomeMember(page);
    const me = await hold(page, '**/graphql');
    await open(page, '/notifications');
    await expect(main(page).getByRole('status')).toBeVisible();
    await inspectState(page, 'a page that waits for its member');
    await me.release();
    await page.route('**/graphql', (route) => route.abort());
    await open(page, '/profile');
    await expect(page.getByText(label('profile.loadFailed'))).toBeVisible();
    await inspectState(page, 'the profile, failed');
  });

  test('states of the profile', async ({ page }) => {
    await becomeMember(page);
    await open(page, '/profile');
    await press(page, 'profile.edit');
    for (const id of ['auth.firstName', 'auth.lastName', 'profile.phone'])
      await page.getByLabel(label(id)).fill('1');
    await press(page, 'profile.save');
    await expect(page.locator('form [aria-invalid="true"]')).toHaveCount(3);
    await inspectState(page, 'the edit form, refused');
    await press(page, 'profile.cancel');
    for (const id of ['changePassword', 'changeEmail', 'download', 'signOutEverywhere', 'deleteOpen']) {
      await press(page, `profile.${id}`);
      if (id === 'changePassword') {
        await press(page, 'account.savePassword');
        await expect(page.locator('form [aria-invalid="true"]')).toHaveCount(2);
      }
      await inspectOverlay(page);
      await page.keyboard.press('Escape');
    }
  });

  test('states of the app screens', SWEEP, async ({ page }) => {
    const overlay = page.getByRole('dialog');
    await page.clock.setFixedTime(new Date(2026, 6, 15, 12));

    await open(page, '/marketplace');
    await page.getByRole('article', { name: 'Bora' }).getByRole('button').click();
    await expect(dialog(page, 'Bora')).toBeVisible();
    await inspectState(page, 'the details of a boat');
    await open(page, '/marketplace?search=zeppelin');
    await expect(page.getByText(label('marketplace.noneFound'))).toBeVisible();
    await inspectState(page, 'no boats');
    await page.setViewportSize(PHONE);
    await open(page, '/marketplace?minPrice=100&maxPrice=500&from=2099-05-02&to=2099-05-09');
    await button(page, new RegExp(`^${label('marketplace.filters')}`)).click();
    await inspectOverlay(page);

    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await open(page, '/events');
      if (viewport === PHONE) await button(page, /^úterý 14. července/).click();
      await button(page, /^\+2/).click();
      await inspectOverlay(page);
      await overlay.getByRole('button', { name: 'Snídaně' }).click();
      await expect(overlay).toHaveCount(2);
      await inspectOverlay(page);
    }

    await becomeMember(page);
    await page.setViewportSize(DESKTOP);
    await open(page, '/notifications');
    await press(page, 'notifications.markAllRead');
    await expect(main(page).getByRole('button', { name: label('notifications.markRead') })).toHaveCount(0);
    await press(page, 'notifications.loadOlder');
    await inspectState(page, 'all notifications read');
    await inspectOverlay(page); // a toast
  });
});
