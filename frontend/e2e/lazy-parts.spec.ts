import type { Page } from '@playwright/test';

import { becomeMember, newAddress } from './accounts';
import { hold, isChunk } from './chunks';
import { message, readMessages, ROUTES } from './pages';
import { expect, open, test, waitForHydration } from './site';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const unreachable = (page: Page) =>
  page.getByRole('alert').filter({ hasText: message('en', 'failure.unreachable') });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The ids of all messages. */
const MESSAGE_IDS = Object.keys(readMessages('en'));

/** Return the message ids that the page shows, in its text and its attributes. */
const findShownIds = (page: Page) =>
  page.evaluate((ids) => {
    const { innerHTML } = document.body;
    return ids.filter((id) => new RegExp(`(?<![\\w/.-])${id}(?![\\w/.-])`).test(innerHTML));
  }, MESSAGE_IDS);

test.describe('switching the language, and leaving by a link while its messages load', () => {
  for (const { path, access } of ROUTES) {
    test(`shows the texts of both pages on ${path}`, async ({ page }) => {
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
  chunk: string;
  path: string;
  isForMembers?: boolean;
  /** Do what needs the part. */
  ask: (page: Page) => Promise<void>;
  /** Wait until the part has done its work. */
  expectPart: (page: Page) => Promise<void>;
}

const PARTS: Part[] = [
  {
    name: 'a legal document',
    chunk: 'legal',
    path: '/landing',
    ask: (page) =>
      page
        .getByRole('contentinfo')
        .getByRole('link', { name: message('en', 'legalLinks.privacy'), exact: true })
        .click(),
    expectPart: (page) => expect(page.getByRole('dialog', { name: 'Privacy notice' })).toBeVisible(),
  },
  {
    name: 'the messages of a legal document',
    chunk: 'messages-en-legal-json',
    path: '/newsletter',
    ask: (page) =>
      page
        .getByRole('contentinfo')
        .getByRole('link', { name: message('en', 'legalLinks.terms'), exact: true })
        .click(),
    expectPart: (page) => expect(page.getByRole('dialog', { name: 'Terms of use' })).toBeVisible(),
  },
  {
    name: 'the form of the profile',
    chunk: 'profile-form',
    path: '/profile',
    isForMembers: true,
    ask: (page) => button(page, 'Edit Profile').click(),
    expectPart: (page) => expect(page.getByLabel('First name')).toHaveValue('Eva'),
  },
  {
    name: 'a panel of the account',
    chunk: 'profile-account',
    path: '/profile',
    isForMembers: true,
    ask: (page) => button(page, message('en', 'profile.changePassword')).click(),
    expectPart: (page) =>
      expect(page.getByLabel(message('en', 'account.newPassword'), { exact: true })).toBeVisible(),
  },
  {
    name: 'a dialog of the account',
    chunk: 'profile-account',
    path: '/profile',
    isForMembers: true,
    ask: (page) => button(page, message('en', 'profile.deleteOpen')).click(),
    expectPart: (page) =>
      expect(page.getByRole('dialog', { name: message('en', 'account.deleteTitle') })).toBeVisible(),
  },
  {
    name: 'the request for a new password',
    chunk: 'request-reset',
    path: '/forgot-password',
    ask: async (page) => {
      await page.getByLabel('Email').fill(newAddress());
      await button(page, message('en', 'notFound.resetSend')).click();
    },
    expectPart: (page) =>
      expect(page.getByRole('heading', { name: message('en', 'notFound.resetSentTitle') })).toBeVisible(),
  },
];

/** Count the documents that the page loads from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('load', () => void (loads += 1));
  return () => loads;
}

for (const { name, chunk, path, isForMembers, ask, expectPart } of PARTS) {
  test.describe(name, () => {
    test.beforeEach(async ({ page }) => {
      if (isForMembers) await becomeMember(page);
    });

    test('that cannot be loaded is missed alone, and comes when it is asked for again', async ({ page }) => {
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
      await expectPart(page);
      expect(loads()).toBe(0);
    });

    test('that a deploy has removed reloads the page once', async ({ page }) => {
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
      await expectPart(page);
      expect(loads()).toBe(1);
    });
  });
}

for (const status of [undefined, 404]) {
  test(`the controls of a member that ${status ? 'a deploy has removed' : 'cannot be loaded'} come on the next page`, async ({
    page,
  }) => {
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

test('two links to pages that cannot be loaded keep the page', async ({ page, context }) => {
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
