import { ADMIN } from './accounts';
import { expect, PHONE, test } from './site';

/** More than the two megabytes of two slices. */
const NOTE = 'x'.repeat(2000);
const ROWS = 1200;

const content = [
  'Address,Kind,Note',
  ...Array.from(
    { length: ROWS },
    (_, row) => `import${row}@example.org,${row % 12 ? 'sailor' : 'pirate'},${NOTE}`,
  ),
].join('\n');

test.use({ timezoneId: 'America/New_York' });

test('an admin imports a file, with a preview, progress and the result', async ({ page }) => {
  await page.goto('/admin/');
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Subscribers' }).first().click();
  await expect(page.getByText('Times: America/New_York')).toBeVisible();

  await test.step('the file is uploaded in slices, and one that fails is sent again', async () => {
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    let slices = 0;
    await page.route(/\/slices\/\d+\/$/, async (route) => {
      slices += 1;
      await (slices === 2 ? route.abort() : route.continue());
    });
    await page
      .getByLabel('File to import')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('group', { name: 'Match the columns' })).toBeVisible();
    expect(slices).toBe(4);
  });

  const start = page.getByRole('button', { name: 'Start the import' });

  await test.step('choosing the columns updates the preview', async () => {
    await expect(start).toBeDisabled();
    await page.getByLabel('Email').selectOption('Address');
    await page.getByLabel('Audience').selectOption('Kind');
    await expect(page.locator('.badge', { hasText: 'Will be added' })).toHaveCount(18);
    await expect(page.locator('.badge', { hasText: 'Will be left out' })).toHaveCount(2);
  });

  const result = (name: string) =>
    page.getByRole('definition').filter({ has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) });

  await test.step('the page counts all rows before anything is stored', async () => {
    await expect(result('Will be added')).toHaveText('1,100', { timeout: 60_000 });
    await expect(result('Will be left out')).toHaveText('100');
    await expect(page.getByText('These columns are not imported: Note.')).toBeVisible();
  });

  await test.step('the page follows the job and shows its result', async () => {
    await start.click();
    await expect(result('Added')).toHaveText('1,100', { timeout: 60_000 });
    await expect(result('Left out')).toHaveText('100');
    await expect(page.getByRole('link', { name: 'Download the rows that were left out' })).toBeVisible();
    await expect(page.locator('[data-running]')).toHaveCount(0);
  });

  await test.step('the imported subscribers are near the top on a phone', async () => {
    await page.getByRole('link', { name: 'Show its subscribers' }).click();
    await page.setViewportSize(PHONE);
    await expect(page.getByRole('link', { name: 'import1@example.org' })).toHaveCount(0); // on a later page
    await expect(page.locator('#result_list tbody tr').first()).toBeInViewport();
  });
});
