import { randomUUID } from 'node:crypto';

import { newAddress, openAdmin } from './accounts';
import { linkIn, mailTo } from './mailbox';
import { chooseLanguage, DATABASE, expect, test } from './site';

test(
  'a reader chooses an interest after confirming, and an admin sees the segment grow',
  DATABASE,
  async ({ page, browser, baseURL }) => {
    const name = `Regattas ${randomUUID().slice(0, 8)}`;
    await chooseLanguage(page, 'en', baseURL);
    await openAdmin(page);
    await page.goto('/admin/newsletter/interest/add/');
    await page.locator('#id_name_en').fill(name);
    await page.locator('#id_name_cs').fill(`Regaty ${name}`);
    await page.locator('[name=_save]').click();
    await page.goto('/admin/campaigns/segment/add/');
    await page.locator('#id_name').fill(name);
    const total = page.locator('#segment-count strong');
    await page.getByLabel(name).check();
    await expect(total, 'the number follows the form').toHaveText('0');
    await page.locator('[name=_save]').click();
    await expect(page.locator('.messagelist li')).toBeVisible();
    const segment = page.url();

    const address = newAddress();
    const visitor = await browser.newContext({ javaScriptEnabled: false, locale: 'cs' });
    const reader = await visitor.newPage();
    await reader.goto(`${baseURL}/newsletter?lang=cs`);
    await reader.getByRole('textbox', { name: 'E-mail' }).fill(address);
    await reader.locator('form button[type=submit]').click();
    await reader.goto(linkIn(await mailTo(address), 'confirm'));
    await reader.locator('main button').first().click();
    await reader.getByLabel(`Regaty ${name}`).check();
    await reader.getByRole('button', { name: 'Uložit' }).click();
    await expect(reader.getByRole('status')).toHaveText('Vaše volba je uložená.');
    await expect(reader.getByLabel(`Regaty ${name}`)).toBeChecked();
    await visitor.close();

    await page.goto(segment);
    await expect(total).toHaveText('1');
    await page.getByRole('link', { name: 'All its subscribers' }).click();
    await expect(page.locator('#result_list tbody tr')).toHaveCount(1);
    await expect(page.locator('#result_list')).toContainText(address);
    await page.goto('/admin/campaigns/campaign/add/');
    await page.getByLabel('Segment').selectOption(name);
    await expect(page.locator('#audience-counts strong')).toHaveText('1');
  },
);
