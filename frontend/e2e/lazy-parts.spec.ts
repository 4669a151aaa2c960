import type { Page, Route } from '@playwright/test';

import { becomeMember, newAddress } from './accounts';
import { getFiles, hold, isChunk } from './chunks';
import { message } from './pages';
import { expect, heading, open, SWEEP, test, waitForHydration } from './site';

const unreachable = (page: Page) =>
  page.getByRole('alert').filter({ hasText: message('en', 'failure.unreachable') });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Let every request for a file fail, and the probe that tells an outage from a deploy. */
const refuse = (page: Page, file = '') =>
  page.route(
    ({ pathname }) => pathname === file || pathname === '/healthz',
    (route) => route.abort(),
  );

test('a link that is followed while another language loads shows the texts of both', async ({ page }) => {
  await becomeMember(page);
  await open(page, '/profile');
  await expect(button(page, 'Eva')).toBeVisible();
  const messages = await hold(page, isChunk(/messages-cs-.*/));
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('link', { name: 'Čeština' }).click();
  await footer.getByRole('link', { name: message('en', 'navigation.academy') }).click();
  await expect(heading(page)).toHaveText(message('en', 'academy.title'));
  await messages.release();
  await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  await expect(heading(page)).toHaveText(message('cs', 'academy.title'));
  await page.goBack();
  await expect(page).toHaveURL('/profile');
  await expect(page.getByRole('main')).toContainText(message('cs', 'profile.edit'));
});

// One function loads all parts. A legal document is one that stays in the address.
const askForNotice = (page: Page) =>
  page.getByRole('contentinfo').getByRole('link', { name: 'Privacy', exact: true }).click();
const notice = (page: Page) => page.getByRole('dialog', { name: 'Privacy notice' });

for (const [reason, respond, expectedLoads] of [
  ['cannot be loaded is missed alone', (route: Route) => route.abort(), 0],
  ['was removed by a deploy reloads the page once', (route: Route) => route.fulfill({ status: 404 }), 1],
] as const) {
  test(`a part that ${reason}, and comes when it is asked for again`, async ({ page }) => {
    let requests = 0;
    await page.route(isChunk('legal'), (route) => {
      requests += 1;
      return respond(route);
    });
    if (expectedLoads === 0) await page.route('/healthz', respond);
    await open(page, '/landing');
    let loads = 0;
    page.on('load', () => void (loads += 1));
    for (let x = 0; x < 30; x += 1) await page.mouse.move(200 + x, 300);
    expect(requests, 'it is preloaded once').toBeLessThanOrEqual(1);
    await askForNotice(page);
    await expect.poll(() => loads).toBe(expectedLoads);
    await expect(unreachable(page)).toBeVisible();
    await expect(heading(page)).toHaveText(message('en', 'landing.title'));
    await page.unrouteAll();
    await waitForHydration(page);
    await askForNotice(page);
    await expect(notice(page)).toBeVisible();
    expect(loads).toBe(expectedLoads);
  });
}

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

test('the controls of a member that cannot be loaded come on the next page', async ({ page }) => {
  await becomeMember(page);
  await refuse(page, getFiles('member-controls')[0]);
  await open(page, '/landing');
  const banner = page.getByRole('banner');
  await expect(banner.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('contentinfo').getByRole('link', { name: 'For sailors' }).click();
  await expect(banner.getByRole('button', { name: 'Eva', exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('two links to pages that cannot be loaded keep the page', SWEEP, async ({ page }) => {
  await open(page, '/newsletter');
  const code = await hold(page, isChunk(/page-(academy|events)/));
  for (const [index, name] of ['Academy', 'Events'].entries()) {
    await page.getByRole('contentinfo').getByRole('link', { name }).click();
    await expect.poll(() => code.requests.length).toBe(index + 1);
  }
  await refuse(page);
  await Promise.all(code.requests.map((route) => route.abort()));
  await expect(unreachable(page)).toBeVisible();
  await expect(page).toHaveURL('/newsletter');
  await expect(heading(page)).toHaveText(message('en', 'newsletter.title'));
});

test('a page and a language that cannot be loaded come when they are asked for again', async ({ page }) => {
  await becomeMember(page);
  await open(page, '/landing');
  await followTwice(page, '/academy', getFiles('page-academy')[0]);
  await followTwice(page, '/marketplace', getFiles('page-marketplace')[1]); // its style sheet
  await followTwice(page, '/', getFiles('messages-en-crossroad')[0]);
  await followTwice(page, '/profile', getFiles('require-auth')[0]);

  await refuse(page, getFiles('messages-cs-public')[0]);
  const czech = page.locator('a[hreflang=cs]').first();
  await czech.dispatchEvent('click');
  await expect(unreachable(page)).toBeVisible();
  await expect(button(page, message('en', 'profile.edit'))).toBeVisible();
  await page.unrouteAll();
  await czech.dispatchEvent('click');
  await expect(button(page, message('cs', 'profile.edit'))).toBeVisible();
});

for (const [path, chunk, id, refused] of [
  ['/newsletter', 'newsletter-subscribe', 'newsletter.submit', 'failure.unreachable'],
  ['/signin', 'session', 'auth.setSail', 'auth.signInFailed'],
] as const) {
  test(`the form of ${path} whose code cannot be loaded says so, and is sent again`, async ({ page }) => {
    const alert = page.locator('form').getByRole('alert');
    await open(page, '/landing');
    await refuse(page, getFiles(chunk)[0]);
    await page.locator(`a[href="${path}"]`).first().dispatchEvent('click');
    await page.getByLabel('Email').fill(newAddress());
    if (path === '/signin') await page.getByLabel('Password', { exact: true }).fill('not the password');
    await button(page, message('en', id)).click();
    await expect(alert).toContainText(message('en', refused));
    await page.unrouteAll();
    await button(page, message('en', id)).click();
    if (path === '/signin') await expect(alert).toHaveText('Invalid email or password.');
    else await expect(heading(page)).toHaveText(message('en', 'newsletter.welcome'));
  });
}
