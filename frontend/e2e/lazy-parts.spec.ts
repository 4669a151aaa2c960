import type { Locator, Page } from '@playwright/test';

import { MEASURED_SITE } from '../playwright.config';
import { becomeMember, newAddress } from './accounts';
import { CHUNKS, getFiles, hold, isChunk } from './chunks';
import { message, readMessages, ROUTES } from './pages';
import { expect, open, SWEEP, test, waitForHydration } from './site';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const unreachable = (page: Page) =>
  page.getByRole('alert').filter({ hasText: message('en', 'failure.unreachable') });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Let every request for a file fail, and the probe that tells an outage from a deploy. */
const refuse = (page: Page, file = '') =>
  page.route(
    ({ pathname }) => pathname === file || pathname === '/healthz',
    (route) => route.abort(),
  );

/** The ids of all messages. */
const MESSAGE_IDS = Object.keys(readMessages('en'));

/** Return the message ids that the page shows, in its text and its attributes. */
const findShownIds = (page: Page) =>
  page.evaluate((ids) => {
    const { innerHTML } = document.body;
    return ids.filter((id) => new RegExp(`(?<![\\w/.-])${id}(?![\\w/.-])`).test(innerHTML));
  }, MESSAGE_IDS);

// One mechanism loads all pages, and another one all parts. `make test` takes samples, `make verify` all of them.

test.describe('switching the language, and leaving by a link while its messages load', () => {
  for (const { path, access } of ROUTES) {
    const details = path === '/profile' ? {} : SWEEP;
    test(`shows the texts of both pages on ${path}`, details, async ({ page }) => {
      if (access === 'member') await becomeMember(page);
      await open(page, path);
      if (access === 'member') await expect(button(page, 'Eva')).toBeVisible();
      const before = await heading(page).textContent();
      const messages = await hold(page, isChunk(/messages-cs-.*/));
      const footer = page.getByRole('contentinfo');
      await footer.getByRole('link', { name: 'Čeština' }).click();
      const target = path === '/academy' ? 'events' : 'academy';
      await footer.getByRole('link', { name: message('en', `navigation.${target}`) }).click();
      await expect(heading(page)).toHaveText(message('en', `${target}.title`));
      await messages.release();
      await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
      await expect(heading(page)).toHaveText(message('cs', `${target}.title`));
      expect(await findShownIds(page)).toEqual([]);
      await page.goBack();
      await expect(page).toHaveURL(path);
      await expect(heading(page)).not.toHaveText([message('cs', `${target}.title`)]);
      if (path !== '/profile') await expect(heading(page)).not.toHaveText(before ?? '');
      expect(await findShownIds(page)).toEqual([]);
    });
  }
});

interface Part {
  name: string;
  /** What is refused, one at a time. */
  chunks: string[];
  path: string;
  isForMembers?: boolean;
  /** Whether only a site with Google Analytics has it. */
  isMeasured?: boolean;
  /** Do what needs the part. */
  ask: (page: Page) => Promise<void>;
  /** What the part shows. */
  find: (page: Page) => Locator;
}

const PARTS: Part[] = [
  {
    name: 'a legal document',
    chunks: ['legal', 'messages-en-legal'],
    path: '/landing',
    ask: (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Privacy', exact: true }).click(),
    find: (page) => page.getByRole('dialog', { name: 'Privacy notice' }),
  },
  {
    name: 'the choice about Google Analytics',
    chunks: ['privacy', 'messages-en-privacy'],
    path: '/landing',
    isMeasured: true,
    ask: (page) => button(page, 'Privacy settings').click(),
    find: (page) => page.getByRole('region', { name: message('en', 'privacy.title') }),
  },
  {
    name: 'the form of the profile',
    chunks: ['profile-form'],
    path: '/profile',
    isForMembers: true,
    ask: (page) => button(page, 'Edit Profile').click(),
    find: (page) => page.getByLabel('First name'),
  },
  {
    name: 'a dialog of the account',
    chunks: ['profile-account', 'messages-en-account'],
    path: '/profile',
    isForMembers: true,
    ask: (page) => button(page, message('en', 'profile.deleteOpen')).click(),
    find: (page) => page.getByRole('dialog', { name: message('en', 'account.deleteTitle') }),
  },
  {
    name: 'the request for a new password',
    chunks: ['request-reset'],
    path: '/forgot-password',
    ask: async (page) => {
      await page.getByLabel('Email').fill(newAddress());
      await button(page, message('en', 'notFound.resetSend')).click();
    },
    find: (page) => page.getByRole('heading', { name: message('en', 'notFound.resetSentTitle') }),
  },
];

/** Count the documents that the page loads from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('load', () => void (loads += 1));
  return () => loads;
}

for (const { chunk, name, path, isForMembers, isMeasured, ask, find } of PARTS.flatMap((part) =>
  part.chunks.map((chunk) => ({ ...part, chunk })),
)) {
  test.describe(`${name} (${chunk})`, () => {
    if (isMeasured) test.use(MEASURED_SITE);

    test.beforeEach(async ({ page }) => {
      if (isForMembers) await becomeMember(page);
    });

    const details = chunk === 'legal' || chunk === 'profile-form' ? {} : SWEEP;
    test(
      'that cannot be loaded is missed alone, and comes when it is asked for again',
      details,
      async ({ page }) => {
        const requests: string[] = [];
        const refused = (address: URL) => isChunk(chunk)(address) || address.pathname === '/healthz';
        await page.route(refused, (route) => {
          requests.push(route.request().url());
          return route.abort();
        });
        await open(page, path);
        if (isForMembers) await expect(heading(page)).toHaveText('Eva Malá');
        const loads = countLoads(page);
        const title = (await heading(page).textContent()) ?? '';
        const preloads = requests.length;
        for (let x = 0; x < 30; x += 1) await page.mouse.move(200 + x, 300);
        expect(requests.length - preloads).toBeLessThanOrEqual(2); // the part and its messages, once
        await ask(page);
        await expect(unreachable(page)).toBeVisible();
        await expect(heading(page)).toHaveText(title);
        await page.unrouteAll();
        await ask(page);
        await expect(find(page)).toBeVisible();
        expect(loads()).toBe(0);
      },
    );

    test('that a deploy has removed reloads the page once', SWEEP, async ({ page }) => {
      const requests: string[] = [];
      await page.route(isChunk(chunk), (route) => {
        requests.push(route.request().url());
        return route.fulfill({ status: 404 });
      });
      await open(page, path);
      if (isForMembers) await expect(heading(page)).toHaveText('Eva Malá');
      const loads = countLoads(page);
      const title = (await heading(page).textContent()) ?? '';
      await ask(page);
      await expect.poll(loads).toBe(1);
      await waitForHydration(page);
      await expect(heading(page)).toHaveText(title);
      // A legal document stays in the address, and was asked for by the reload.
      if (new URL(page.url()).hash) await expect(unreachable(page)).toBeVisible();
      const refused = requests.length;
      await ask(page);
      await expect.poll(() => requests.length).toBeGreaterThan(refused);
      await expect(unreachable(page)).toBeVisible();
      await page.unrouteAll();
      await ask(page);
      await expect(find(page)).toBeVisible();
      expect(loads()).toBe(1);
    });
  });
}

for (const status of [undefined, 404]) {
  const reason = status ? 'a deploy has removed' : 'cannot be loaded';
  test(`the controls of a member that ${reason} come on the next page`, SWEEP, async ({ page }) => {
    await becomeMember(page);
    const requests: string[] = [];
    await page.route(isChunk('member-controls'), (route) => {
      requests.push(route.request().url());
      return status ? route.fulfill({ status }) : route.abort();
    });
    await open(page, '/landing');
    const loads = countLoads(page);
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    const footer = page.getByRole('contentinfo');
    await footer.getByRole('link', { name: 'For companies' }).click();
    await expect(heading(page)).toHaveText(message('en', 'landingCompanies.title'));
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible();
    await page.unrouteAll();
    await footer.getByRole('link', { name: 'For sailors' }).click();
    await expect(page.getByRole('banner').getByRole('button', { name: 'Eva', exact: true })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(loads()).toBe(0);
  });
}

test('two links to pages that cannot be loaded keep the page', SWEEP, async ({ page, context }) => {
  await open(page, '/landing');
  await open(page, '/newsletter');
  const code = await hold(page, isChunk(/page-(academy|events)/));
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('link', { name: 'Academy' }).click();
  await expect.poll(() => code.requests.length).toBe(1);
  await footer.getByRole('link', { name: 'Events' }).click();
  await expect.poll(() => code.requests.length).toBe(2);
  await context.setOffline(true);
  await Promise.all(code.requests.splice(0).map((route) => route.abort()));
  await expect(unreachable(page)).toBeVisible();
  await expect(page).toHaveURL('/newsletter');
  await expect(heading(page)).toHaveText(message('en', 'newsletter.title'));
  await context.setOffline(false);
  await page.unrouteAll();
  await page.goBack();
  await expect(heading(page)).toHaveText(message('en', 'landing.title'));
});

/** Follow a link while a file of its page is refused, and again when it is not. */
async function followTwice(page: Page, path: string, file?: string): Promise<void> {
  await test.step(`${path} without ${file}`, async () => {
    const title = (await heading(page).textContent()) ?? '';
    const link = page.locator(`a[href="${path}"]`).first();
    await refuse(page, file);
    await link.dispatchEvent('click'); // it may be in a menu
    await expect(unreachable(page)).toBeVisible();
    await expect(page).not.toHaveURL(path);
    await expect(heading(page)).toHaveText(title);
    await page.unrouteAll();
    await button(page, 'Close').click();
    await link.dispatchEvent('click');
    await expect(page).toHaveURL(path);
    await expect(heading(page)).not.toHaveText(title);
  });
}

/** The pages, the one for unknown paths at a path that is linked. */
const TARGETS = ROUTES.map((route) => ({
  ...route,
  path: route.page === 'not-found' ? '/about' : route.path,
}));

const listCatalogues = (targets: typeof TARGETS) => [
  ...new Set(targets.flatMap(({ catalogues }) => catalogues)),
];

test('a page and a language that cannot be loaded come when they are asked for again', async ({ page }) => {
  await open(page, '/landing');
  await followTwice(page, '/newsletter', getFiles('page-newsletter')[0]);
  await followTwice(page, '/academy', getFiles('page-academy')[1]);
  await followTwice(page, '/', getFiles('messages-en-crossroad')[0]);

  await refuse(page, getFiles('messages-cs-public')[0]);
  const czech = page.locator('a[hreflang=cs]').first();
  await czech.dispatchEvent('click');
  await expect(unreachable(page)).toBeVisible();
  await expect(heading(page)).toHaveText(message('en', 'crossroad.headline'));
  await page.unrouteAll();
  await czech.dispatchEvent('click');
  await expect(heading(page)).toHaveText(message('cs', 'crossroad.headline'));
});

for (const [kind, file] of ['script', 'style sheet'].entries()) {
  test(
    `every page whose ${file} cannot be loaded opens when it is asked for again`,
    SWEEP,
    async ({ page }) => {
      const follow = (target: (typeof TARGETS)[number]) =>
        followTwice(page, target.path, getFiles(`page-${target.page}`)[kind]);
      const [crossroad, ...others] = TARGETS;
      for (const access of ['public', 'member']) {
        if (access === 'member') await becomeMember(page);
        await open(page, '/');
        for (const target of others.filter((other) => other.access === access)) {
          await follow(target);
          await page.goBack();
          await expect(heading(page)).toHaveText(message('en', 'crossroad.headline'));
        }
      }
      await open(page, '/landing');
      if (crossroad) await follow(crossroad);
    },
  );
}

test(
  'every page whose messages cannot be loaded opens when it is asked for again',
  SWEEP,
  async ({ page }) => {
    const visible = TARGETS.filter(({ access }) => access === 'public');
    for (const catalogue of listCatalogues(visible)) {
      const path = visible.find(({ catalogues }) => catalogues.includes(catalogue))?.path ?? '';
      await open(page, path === '/landing' ? '/' : '/landing');
      await followTwice(page, path, getFiles(`messages-en-${catalogue}`)[0]);
    }
  },
);

test('a page whose guard cannot be loaded opens when it is asked for again', SWEEP, async ({ page }) => {
  await becomeMember(page);
  for (const file of getFiles('require-auth')) {
    await open(page, '/landing');
    await followTwice(page, '/profile', file);
  }
});

test('a form whose code cannot be loaded says so, and is sent when it is submitted again', async ({
  page,
}) => {
  const alert = page.locator('form').getByRole('alert');
  await open(page, '/newsletter');
  await refuse(page, getFiles('newsletter-subscribe')[0]);
  await page.getByLabel('Email').fill(newAddress());
  await button(page, message('en', 'newsletter.submit')).click();
  await expect(alert).toHaveText(message('en', 'failure.unreachable'));
  await page.unrouteAll();
  await button(page, message('en', 'newsletter.submit')).click();
  await expect(heading(page)).toHaveText(message('en', 'newsletter.welcome'));

  await open(page, '/landing');
  await refuse(page, getFiles('session')[0]);
  await page.locator('a[href="/signin"]').first().dispatchEvent('click');
  await page.getByLabel('Email').fill(newAddress());
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await button(page, message('en', 'auth.setSail')).click();
  await expect(alert).toContainText('Please check your connection and try again.');
  await page.unrouteAll();
  await button(page, message('en', 'auth.setSail')).click();
  await expect(alert).toHaveText('Invalid email or password.');
});

test('every chunk of the build is refused by a test', () => {
  const refused = [
    ...PARTS.flatMap(({ chunks }) => chunks),
    ...TARGETS.map(({ page }) => `page-${page}`),
    ...['public', ...listCatalogues(TARGETS)].map((name) => `messages-en-${name}`),
    ...['require-auth', 'member-controls', 'newsletter-subscribe', 'session'],
    'reports', // reports.spec.ts
    ...['main', 'deferHydration'], // hydration.spec.ts, newsletter.spec.ts
    'documents', // the pages of Django, which work without it
    'pasteMarkdown', // Django admin, where text is pasted without its format then
  ];
  // One line of code loads the messages of both languages.
  expect(CHUNKS.filter((name) => !refused.includes(name.replace('-cs-', '-en-')))).toEqual([]);
});
