import type { Page } from '@playwright/test';

import { chunk, hold, isMain } from './chunks';
import { linkIn, mailsTo, mailTo } from './mailbox';
import { adminRows, expect, expectAlive, LANGUAGES, test } from './site';

test('a visitor subscribes, confirms by mail, and is confirmed in the admin', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Crossroad - Choose Your Path');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).click();
  await expect(page.getByRole('radio', { name: 'Sailor' })).toBeChecked();
  await expectAlive(page.getByLabel('Email'));
  await page.getByText('Company', { exact: true }).click();
  await page.getByLabel('Email').fill('jana@example.org');
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Aboard!' })).toBeFocused();
  await expect(page.getByRole('main').getByText('Subscription Confirmed!').first()).toBeVisible();
  await expect(page.getByText('Check your email for a welcome message.').first()).toBeVisible();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');

  const mail = await mailTo('jana@example.org');
  expect(mail.html).toContain(linkIn(mail, 'confirm'));
  await page.goto(linkIn(mail, 'confirm'));
  const rows = await adminRows(page, 'jana@example.org');
  await expect(rows, 'to open the link confirms nobody').toContainText('Pending');
  await page.goto(linkIn(mail, 'confirm'));
  await page.getByRole('button', { name: 'Confirm my subscription' }).click();
  await expect(page.getByRole('heading', { name: 'You are aboard' })).toBeVisible();
  await adminRows(page, 'jana@example.org');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Confirmed');
  await expect(rows).toContainText('Company');

  await page.goto(linkIn(mail, 'unsubscribe'));
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByText('You are unsubscribed.')).toBeVisible();
  await adminRows(page, 'jana@example.org');
  await expect(rows).toContainText('Unsubscribed');
});

test('a visitor does the same in Czech', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Čeština' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  await expect(page).toHaveTitle('Rozcestí – Zvolte si svou cestu');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Odběr novinek' }).click();
  await page.getByLabel('E-mail').fill('petr@example.org');
  await page.getByRole('button', { name: 'Přidat se ke komunitě' }).click();
  await expect(page.getByRole('heading', { name: 'Vítejte na palubě!' })).toBeVisible();

  const mail = await mailTo('petr@example.org');
  await page.goto(linkIn(mail, 'confirm'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  await page.getByRole('button', { name: 'Potvrdit odběr' }).click();
  await expect(page.getByRole('status')).toHaveText('Váš odběr je potvrzen.');
  await page.goto('/?lang=en');
  await expect(await adminRows(page, 'petr@example.org')).toContainText('Confirmed');
});

test('a blank and a malformed email are refused under the field', async ({ page }) => {
  await page.goto('/newsletter');
  const email = page.getByLabel('Email');
  await expectAlive(email);
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(email).toHaveAccessibleDescription('Email is required');
  await expect(email).toBeFocused();
  await email.fill('nonsense');
  await expect(email).toHaveAccessibleDescription('Please enter a valid email address');
  await email.fill(`${'a'.repeat(300)}@example.org`);
  await expect(email).toHaveAccessibleDescription('Email must be at most 254 characters');
  await expect(email).toHaveValue(/^a{300}@/);
  await email.fill('ok@example.org');
  await expect(email).toHaveAccessibleDescription('');
});

test('a double click makes one subscription and one mail', async ({ page }) => {
  await page.goto('/newsletter');
  await page.getByLabel('Email').fill('twice@example.org');
  await page.getByRole('button', { name: 'Join the Community' }).dblclick();
  await expect(page.getByRole('heading', { name: 'Welcome Aboard!' })).toBeVisible();
  await mailTo('twice@example.org');
  await expect(await adminRows(page, 'twice@example.org')).toHaveCount(1);
  expect(await mailsTo('twice@example.org')).toHaveLength(1);
});

test('a lost network loses nothing that was typed', async ({ page, context }) => {
  await page.goto('/newsletter');
  await page.getByText('Company', { exact: true }).click();
  await page.getByLabel('Email').fill('storm@example.org');
  await context.route('**/graphql', (route) => route.abort());
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'The server cannot be reached. Please check your connection and try again.',
  );
  await expect(page.getByLabel('Email')).toHaveValue('storm@example.org');
  await expect(page.getByRole('radio', { name: 'Company' })).toBeChecked();
  await context.unroute('**/graphql');
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Aboard!' })).toBeVisible();
});

test('an answer that is no GraphQL shows its status', async ({ page, context }) => {
  await context.route('**/graphql', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
  await page.goto('/newsletter');
  await page.getByLabel('Email').fill('gateway@example.org');
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page.getByRole('alert')).toHaveText('GraphQL Error (Code: 502)');
});

test('the code of a field that is focused before the page is alive comes with it', async ({ page }) => {
  const main = await hold(page, isMain);
  await page.goto('/newsletter', { waitUntil: 'domcontentloaded' }); // what is held may hold up the load
  await page.getByLabel('Email').focus();
  const asked = page.waitForRequest(`**${chunk('newsletter-subscribe')}`);
  await main.release();
  await asked;
});

test('a form whose code a deploy has taken away is sent by the browser itself', async ({ page, context }) => {
  await page.goto('/newsletter');
  let loads = 0;
  page.on('domcontentloaded', () => (loads += 1));
  await context.route(`**${chunk('newsletter-subscribe')}`, (route) => route.fulfill({ status: 404 }));
  await page.getByLabel('Email').fill('deploy@example.org');
  expect(loads, 'code that is loaded ahead never reloads the page').toBe(0);
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page).toHaveURL('/newsletter/subscribed/?lang=en');
  await expect(page.getByRole('heading', { name: 'Welcome Aboard!' })).toBeVisible();
  await mailTo('deploy@example.org');
});

/** What the form says, in each language. */
const FORM = {
  en: {
    email: 'Email',
    join: 'Join the Community',
    welcome: 'Welcome Aboard!',
    confirmed: 'Subscription Confirmed!',
    invalid: 'Please enter a valid email address',
    company: 'Company',
    home: 'Back to Home',
    advertise: 'Start Advertising',
    source: 'Landing for companies',
  },
  cs: {
    email: 'E-mail',
    join: 'Přidat se ke komunitě',
    welcome: 'Vítejte na palubě!',
    confirmed: 'Odběr potvrzen!',
    invalid: 'Zadejte prosím platnou e-mailovou adresu',
    company: 'Firma',
    home: 'Zpět na úvodní stránku',
    advertise: 'Začít inzerovat',
    source: 'Stránka pro firmy',
  },
};

/** Subscribes by what the page can do by itself, and looks at each page on the way. */
async function subscribeByPost(page: Page, language: 'en' | 'cs', address: string) {
  const words = FORM[language];
  await page.getByLabel(words.email).fill('nonsense');
  await page.getByRole('button', { name: words.join }).click();
  const email = page.getByLabel(words.email);
  await expect(email).toHaveValue('nonsense');
  await expect(email).toHaveAccessibleDescription(words.invalid);
  await expect(email).toBeFocused();
  await expect(page.getByRole('radio', { name: words.company })).toBeChecked();
  await email.fill(address);
  await email.press('Enter');
  await expect(page.getByRole('heading', { name: words.welcome })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText(words.confirmed);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await page.reload(); // sends nothing again
  await mailTo(address);
  const rows = await adminRows(page, address);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(words.company);
  await expect(rows).toContainText(words.source);
}

for (const language of LANGUAGES) {
  const words = FORM[language];

  test.describe(`without a script (${language})`, () => {
    test.use({ javaScriptEnabled: false });

    test('a visitor from the companies page subscribes as a company', async ({ page }) => {
      await page.goto(`/landing-companies?lang=${language}`);
      await page.getByRole('link', { name: words.advertise }).click();
      await expect(page).toHaveURL('/newsletter?source=landing-companies');
      await expect(page.getByRole('radio', { name: words.company })).toBeChecked();
      await subscribeByPost(page, language, `no-script-${language}@example.org`);
    });
  });

  test(`with its scripts blocked the form works (${language})`, async ({ page }) => {
    await page.route('**/static/app/*.js', (route) => route.abort());
    await page.goto(`/newsletter?source=landing-companies&lang=${language}`);
    await subscribeByPost(page, language, `blocked-${language}@example.org`);
  });

  test(`a press while the scripts are on their way is not lost (${language})`, async ({ page }) => {
    const main = await hold(page, isMain);
    const address = `early-${language}@example.org`;
    await page.goto(`/newsletter?lang=${language}`, { waitUntil: 'commit' });
    await page.getByLabel(words.email).fill(address);
    // The page is still waiting for its scripts when the browser leaves it.
    await page.getByRole('button', { name: words.join }).click({ noWaitAfter: true });
    await expect(page.getByRole('heading', { name: words.welcome })).toBeVisible();
    await main.release();
    await page.getByRole('link', { name: words.home }).click();
    await expect(page).toHaveURL('/');
    await mailTo(address);
    await expect(await adminRows(page, address)).toHaveCount(1);
  });
}

test('what was typed and chosen before the page is alive stays, and is sent', async ({ page }) => {
  const main = await hold(page, isMain);
  await page.goto('/newsletter', { waitUntil: 'commit' });
  await page.getByText('Company', { exact: true }).click();
  await page.getByLabel('Email').fill('typed@example.org');
  await main.release();
  await expectAlive(page.getByLabel('Email'));
  await expect(page.getByLabel('Email')).toHaveValue('typed@example.org');
  await expect(page.getByRole('radio', { name: 'Company' })).toBeChecked();
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Aboard!' })).toBeFocused();
  await expect(await adminRows(page, 'typed@example.org')).toContainText('Company');
});

test('the button of a landing page says where the visitor came from in another tab too', async ({
  page,
  context,
}) => {
  await page.goto('/landing-companies');
  const other = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Start Advertising' }).click({ modifiers: ['ControlOrMeta'] });
  const tab = await other;
  await expect(tab.getByRole('radio', { name: 'Company' })).toBeChecked();
  await expect(tab.locator('link[rel=canonical]')).toHaveAttribute('href', /\/newsletter$/);
  await tab.getByLabel('Email').fill('tab@example.org');
  await tab.getByRole('button', { name: 'Join the Community' }).click();
  await expect(tab.getByRole('heading', { name: 'Welcome Aboard!' })).toBeVisible();
  await expect(await adminRows(page, 'tab@example.org')).toContainText('Landing for companies');
});

test('an offline language switch keeps the page and its half-filled form, and says so', async ({
  page,
  context,
}) => {
  await page.goto('/newsletter');
  await page.getByLabel('Email').fill('half@');
  await expectAlive(page.getByLabel('Email'));
  await context.setOffline(true);
  await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'The language could not be changed.' }),
  ).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('half@');
  await context.setOffline(false);
  await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue('half@');
});

test('Back returns to the page before', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/');
});
