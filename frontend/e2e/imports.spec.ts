import type { Page } from '@playwright/test';

import { becomeAdmin, newAddress } from './accounts';
import { mailsTo, mailTo } from './mailbox';
import { chooseLanguage, expect, PHONE, test } from './site';

const ORIGIN = 'Boat show Praha';

/** An “á” as Windows-1250 has it, in a file that is UTF-8 otherwise. */
const WRONG_BYTE = Buffer.from([0xe1]);

const WAITING = [0, 1, 2].map((row) => `waiting-${row}-`);
const LEFT = [0, 1].map((row) => `left-${row}-`);

/** Return the file of a Czech office program. */
function makeFile(address: string): Buffer {
  return Buffer.concat([
    Buffer.from(
      [
        'E-mail;Jméno;Stav;Newsletter?',
        ...WAITING.map((name) => `${name}${address};Žofie;přihlášen;týdně`),
        ...LEFT.map((name) => `${name}${address};Jiří;odhlášen;týdně`),
        `${WAITING[0]}${address};Žofie;přihlášen;měsíčně`,
        `unknown-${address};Zdeňka;na dovolené;měsíčně`,
        `wrong-byte-${address};M`,
      ].join('\r\n'),
    ),
    WRONG_BYTE,
    Buffer.from(`ria;přihlášen;týdně\r\n`),
  ]);
}

test.use({ viewport: PHONE });

/** Expect these numbers beside their names in a list of facts. */
async function expectFacts(page: Page, facts: [string, number][]): Promise<void> {
  for (const [name, number] of facts) {
    const fact = page.getByRole('definition').filter({
      has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`),
    });
    await expect(fact, name).toHaveText(String(number), { timeout: 60_000 });
  }
}

test('a file is imported, its owners are asked, and it is undone', async ({ page, baseURL }) => {
  test.slow();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const rows = page.locator('#result_list tbody tr');
  const address = newAddress();
  await chooseLanguage(page, 'en', baseURL);
  await becomeAdmin(page);

  await test.step('the columns are shown, and the wrong byte', async () => {
    await page.goto('/admin/imports/importbatch/import/');
    await page
      .locator('[type=file]')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: makeFile(address) });
    await button('Continue').click();
    const encodings = page.locator('.file-encodings');
    await expect(encodings.getByLabel('UTF-8')).toBeChecked();
    await encodings.getByLabel('Windows-1250 Mária').check();
    await button('Read it like this').click();
    await expect(page.locator('.file-columns').first()).not.toContainText('Žofie');
    await encodings.getByLabel('UTF-8').check();
    await button('Read it like this').click();
    await expect(page.locator('.file-columns').first()).toContainText('Žofie');
    for (const [column, role] of ['email', 'first_name', 'subscribed', ''].entries())
      await expect(page.locator(`#id_column_${column}`)).toHaveValue(role);
  });

  await test.step('the rows are counted once the columns are clear', async () => {
    await page.locator('#id_language').selectOption('cs');
    await page.locator('#id_origin').fill(ORIGIN);
    await button('See what will happen').click();
    await expect(page.locator('#id_column_3'), 'the browser asks for it').toBeFocused();
    await page.locator('#id_column_3').selectOption('ignored');
    await button('See what will happen').click();
    await expect(page.locator('#id_user_type + .errorlist')).toBeVisible();
    await page.locator('#id_user_type').selectOption('sailor');
    await button('See what will happen').click();
    await expect(heading('What the import will do')).toBeVisible({ timeout: 60_000 });
  });

  const facts: [string, number][] = [
    ['Rows', 8],
    ['New, unconfirmed', WAITING.length],
    ['New, unsubscribed', LEFT.length],
    ['On the list, unchanged', 0],
    ['Repeated in the file', 1],
    ['Left out', 2],
  ];
  await expectFacts(page, facts);

  let path = '';
  await test.step('the result is what was announced', async () => {
    await button('Start the import').click();
    await expect(heading('Result')).toBeVisible({ timeout: 60_000 });
    await expectFacts(page, facts);
    path = page.url();
  });

  await test.step('those who wait are asked in the words of the origin', async () => {
    await link('Show them').click();
    await expect(rows).toHaveCount(WAITING.length);
    await page.locator('#action-toggle').check();
    await page.locator('[name=action]').selectOption('ask_again');
    await page.locator('[name=index]').click();
    await page.locator('.bulk-action [type=submit]').click();
    for (const name of WAITING) {
      const mail = await mailTo(`${name}${address}`);
      expect(mail.subject).toBe('Můžeme vám posílat náš newsletter?');
      expect(mail.text).toContain(ORIGIN);
    }
    expect(await mailsTo(`${LEFT[0]}${address}`)).toEqual([]);
    await expect(page.locator('progress'), 'the page is loaded again at the end').toHaveCount(0);
  });

  await test.step('undoing it leaves nobody but those who have left', async () => {
    await page.goto(path);
    await page.locator('summary', { hasText: 'Undo the import' }).click();
    await button('Yes, remove them').click();
    await expectFacts(page, [
      ['Removed', WAITING.length],
      ['Kept', LEFT.length],
    ]);
    await expect(heading('Undone')).toBeVisible();
    await link('Show its subscribers').click();
    await expect(rows).toHaveCount(LEFT.length);
    await expect(rows.filter({ hasText: 'waiting-' })).toHaveCount(0);
  });
});
