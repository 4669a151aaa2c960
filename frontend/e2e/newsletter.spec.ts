import type { Page } from '@playwright/test';

import { newAddress, openSubscriptions } from './accounts';
import { hold, isMain } from './chunks';
import { linkIn, mailsTo, mailTo } from './mailbox';
import { message } from './pages';
import { DATABASE, expect, heading, type Language, open, test, waitForHydration } from './site';

const email = (page: Page) => page.getByRole('textbox', { name: /^E-?mail$/ });
const submit = (page: Page) => page.locator('form button[type=submit]');
const company = (page: Page) => page.getByRole('radio', { name: /^(Company|Firma)$/ });

async function expectSubscribed(page: Page, language: Language = 'en'): Promise<void> {
  await expect(heading(page)).toHaveText(message(language, 'newsletter.welcome'));
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

test(
  'a visitor subscribes, confirms by mail and unsubscribes, in Czech',
  DATABASE,
  async ({ page, context }) => {
    const label = (id: string) => message('cs', id);
    const address = newAddress();
    await open(page, '/landing-companies?lang=cs&utm_source=mast&utm_medium=poster');
    const opened = context.waitForEvent('page');
    await page
      .getByRole('link', { name: label('landingCompaniesBelow.startAdvertising') })
      .click({ modifiers: ['ControlOrMeta'] });
    const tab = await opened;
    await waitForHydration(tab);
    await expect(company(tab)).toBeChecked();
    await email(tab).fill(address);
    await submit(tab).click();
    await expectSubscribed(tab, 'cs');
    await expect(heading(tab)).toBeFocused();

    const mail = await mailTo(address);
    expect(mail.html).toContain(linkIn(mail, 'confirm'));
    await page.goto(linkIn(mail, 'confirm'));
    await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
    await page.locator('main button').first().click();
    await expect(page.getByRole('status')).toBeVisible();
    const rows = await openSubscriptions(page, address);
    await expect(rows).toHaveCount(1);
    for (const text of ['Confirmed', 'Company', 'Landing for companies'])
      await expect(rows).toContainText(text);

    await page.goto(linkIn(mail, 'manage'));
    await page.locator('main button').first().click();
    await expect(page.getByRole('status')).toBeVisible();
    await openSubscriptions(page, address);
    await expect(rows).toContainText('Unsubscribed');
    await rows.getByRole('link', { name: address }).click();
    await expect(page.getByRole('main')).toContainText('mast · poster');
  },
);

test('a double click subscribes once', DATABASE, async ({ page }) => {
  const address = newAddress();
  await open(page, '/newsletter');
  await email(page).fill(address);
  await submit(page).dblclick();
  await expectSubscribed(page);
  await mailTo(address);
  await expect(await openSubscriptions(page, address)).toHaveCount(1);
  expect(await mailsTo(address)).toHaveLength(1);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the form of a landing page subscribes', DATABASE, async ({ page }) => {
    const address = newAddress();
    await page.goto('/landing-companies?lang=cs');
    await page.locator('main a[href^="/newsletter"]').click();
    await expect(page).toHaveURL('/newsletter?source=landing-companies');
    await email(page).fill('nonsense');
    await submit(page).click();
    await expect(email(page)).toHaveValue('nonsense');
    await expect(email(page)).toHaveAccessibleDescription(message('cs', 'forms.emailInvalid'));
    await expect(email(page)).toBeFocused();
    await expect(company(page)).toBeChecked();
    await email(page).fill(address);
    await email(page).press('Enter');
    await expectSubscribed(page, 'cs');
    await page.reload(); // does not submit again
    await mailTo(address);
    const rows = await openSubscriptions(page, address);
    await expect(rows).toHaveCount(1);
    for (const text of ['Company', 'Landing for companies']) await expect(rows).toContainText(text);
  });
});

test('a submission before hydration is not lost', DATABASE, async ({ page }) => {
  const main = await hold(page, isMain);
  const address = newAddress();
  await page.goto('/newsletter', { waitUntil: 'commit' });
  await email(page).fill(address);
  await submit(page).click({ noWaitAfter: true }); // the document is still loading
  await expectSubscribed(page);
  await main.release();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
  await mailTo(address);
  await expect(await openSubscriptions(page, address)).toHaveCount(1);
});
