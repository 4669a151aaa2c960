import { chunk, hold, isMain } from './chunks';
import { linkIn, mailsTo, mailTo } from './mailbox';
import { adminRows, expect, test } from './site';

test('a visitor subscribes, confirms by mail, and is confirmed in the admin', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Crossroad - Choose Your Path');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).click();
  await expect(page.getByRole('radio', { name: 'Sailor' })).toBeChecked();
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
  const asked = page.waitForRequest(`**${chunk('newsletter-form')}`);
  await main.release();
  await asked;
});

test('a page that was open during a deploy loads itself anew', async ({ page, context }) => {
  await page.goto('/newsletter');
  let asked = 0;
  await context.route(`**${chunk('newsletter-form')}`, async (route) => {
    asked += 1;
    if (asked === 1) await route.fulfill({ status: 404 });
    else await route.continue();
  });
  const reloaded = page.waitForEvent('load');
  await page.getByLabel('Email').focus();
  await reloaded;
  await page.getByLabel('Email').fill('deploy@example.org');
  await page.getByRole('button', { name: 'Join the Community' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Aboard!' })).toBeVisible();
});

test('Back returns to the page before', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL('/');
});
