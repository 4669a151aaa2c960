import type { Page } from '@playwright/test';

import { ADMIN, newAddress, signInToAdmin } from './accounts';
import { runInDjango } from './django';
import { inspectOverlay } from './inspect';
import { mailAbout, mailsTo, mailTo, readMail } from './mailbox';
import { chooseLanguage, DATABASE, DESKTOP, expect, test } from './site';

/** Enough to pause the campaign while it is sent. */
const CONFIRMED = 100;
const LEFT = 10;
const WRONG = 10;

const LINK = 'https://sailing.test/programme';

/** Return a file of more than two megabytes, which is uploaded in slices. */
function makeFile(address: string): Buffer {
  const people = [
    ...Array.from({ length: CONFIRMED }, (_, row) => `${row}-${address},Eva,subscribed`),
    ...Array.from({ length: LEFT }, (_, row) => `left-${row}-${address},Jan,unsubscribed`),
    ...Array.from({ length: WRONG }, (_, row) => `wrong-${row},Ota,subscribed`),
  ];
  const note = 'x'.repeat(18_000);
  return Buffer.from(['Email,First name,Status,Note', ...people.map((row) => `${row},${note}`)].join('\n'));
}

/** The number beside a name in a list of facts. */
const fact = (page: Page, name: string) =>
  page.getByRole('definition').filter({ has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) });

test.use({ viewport: DESKTOP });

test('a manager imports readers, and writes to them', DATABASE, async ({ page, baseURL }) => {
  test.slow();
  page.setDefaultTimeout(15_000);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const address = newAddress();
  await chooseLanguage(page, 'en', baseURL);
  await signInToAdmin(page);

  await test.step('imports a file with opt-outs, whose owners have agreed', async () => {
    await link('Import').click();
    let slices = 0;
    await page.route(/\/slices\/\d+\/$/, async (route) => {
      slices += 1;
      await (slices === 2 ? route.abort() : route.continue());
    });
    await page
      .locator('[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: makeFile(address) });
    await button('Continue').click();
    await expect(page.getByRole('group', { name: 'Match the columns' })).toBeVisible();
    expect(slices, 'the slice that failed is sent again').toBe(4);

    await page.locator('#id_user_type').selectOption('company');
    await page.locator('#id_language').selectOption('en');
    await page.locator('#id_origin').fill('Boat show');
    await page.locator('.file-consent summary').click();
    await page.locator('[name=is_confirmed]').check();
    await page.locator('[name=consent_date]').fill('2025-05-01');
    await page.locator('[name=consent_proof]').fill('Binder 12');
    await button('See what will happen').click();
    for (const next of ['What the import will do', 'Result']) {
      await expect(page.getByRole('heading', { name: next, exact: true })).toBeVisible({
        timeout: 60_000,
      });
      await expect(fact(page, 'New, confirmed')).toHaveText(String(CONFIRMED));
      await expect(fact(page, 'New, unsubscribed')).toHaveText(String(LEFT));
      await expect(fact(page, 'Left out')).toHaveText(String(WRONG));
      if (next !== 'Result') await button('Start the import').click();
    }
  });

  const subject = `Regatta ${address.slice(0, 8)}`;
  await test.step('makes a segment of those who were imported', async () => {
    await page.goto('/admin/campaigns/segment/add/');
    await page.locator('#id_name').fill(subject);
    await page.locator('#id_user_type').selectOption('company');
    await page.locator('#id_language').selectOption('en');
    await page.locator('#id_source').selectOption('imported');
    await expect(page.locator('.reader-count strong')).toHaveText(String(CONFIRMED));
    await page.locator('[name=_save]').click();
    const row = page.locator('#result_list tr', { hasText: subject });
    await expect(row.locator('.reader-count strong')).toHaveText(String(CONFIRMED));
  });

  const body = page.locator('#id_body_en');
  const frame = page.locator('#mail-en').contentFrame();
  await test.step('writes with an uploaded picture, checks and tests it', async () => {
    await page.goto('/admin/campaigns/campaign/add/');
    await page.locator('#id_name').fill(subject);
    await page.locator('#tab-en').click();
    await page.locator('#id_subject_en').fill(subject);
    await body.fill(`# Ahoy\n\n{first_name|Ahoy}! [The programme](${LINK})\n\n`);
    await body.press('ControlOrMeta+End');

    const dialog = page.getByRole('dialog', { name: 'Choose a picture' });
    const file = dialog.locator('[type=file]');
    await page.locator('[data-pictures]:visible').click();
    await dialog.getByText('Upload a picture').click();
    await file.setInputFiles('static/media/wave.svg');
    await dialog.locator('[name=alt_text_en]').fill(subject);
    await dialog.locator('[type=submit]').click();
    await expect(dialog.getByRole('alert').filter({ hasText: 'SVG' })).toBeVisible();
    await inspectOverlay(page);
    await file.setInputFiles('static/media/hero-companies.jpg');
    await dialog.locator('[type=submit]').click();
    await expect(dialog).toBeHidden();
    await expect(body).toHaveValue(/\(media:[0-9a-f]{24}\.jpg\)$/);
    await expect(frame.getByAltText(subject)).not.toHaveJSProperty('naturalWidth', 0);

    await page.locator('#id_segment').selectOption(subject);
    await expect(page.locator('.audience-total strong')).toHaveText(String(CONFIRMED));
    await page.locator('#id_is_public').check();
    await page.locator('[name=_test]').click();
    await page.locator('.campaign-test [type=submit]').click();
    await expect(page.locator('.messagelist')).toContainText(ADMIN.email);
    await mailAbout(subject, ADMIN.email);
  });

  let path = '';
  await test.step('schedules it, takes it back and schedules it again', async () => {
    path = page.url().replace('/change/', '');
    await page.locator('[name=_send]').click();
    await expect(page.locator('.audience-total strong')).toHaveText(String(CONFIRMED));
    const schedule = async () => {
      await page.locator('[name=at_0]').fill(`${new Date().getFullYear() + 1}-05-01`);
      await page.locator('[name=at_1]').fill('09:30');
      await button('Schedule').dblclick();
      await expect(page.locator('.progress')).toContainText('9:30');
    };
    await schedule();
    await page.locator('form[action$="/unschedule/"] button').click();
    await expect(page).toHaveURL(`${path}/change/`);
    await page.goto(`${path}/send/`);
    await schedule();
    await runInDjango(`
from django.utils import timezone
from newsletter.campaigns.models import Campaign
from sailing.jobs.models import Job
campaign = Campaign.objects.get(name="${subject}")
Campaign.objects.filter(pk=campaign.pk).update(scheduled_at=timezone.now()) # first: an early job waits for it
Job.objects.filter(arguments__campaign=campaign.pk).update(next_attempt_at=timezone.now())`);
  });

  const state = page.locator('.progress').first();
  const figures = page.locator('.figures dd');
  await test.step('watches it, and pauses it on the way', async () => {
    await expect(state).toHaveAttribute('data-running', 'sending', { timeout: 60_000 });
    await page.locator('form[action$="/pause/"] button').click();
    await expect(state).toHaveAttribute('data-running', 'paused');
    await page.locator('form[action$="/resume/"] button').click();
    await expect(state).not.toHaveAttribute('data-running', /./, { timeout: 60_000 });
    await expect(figures.nth(1)).toContainText(String(CONFIRMED));
    const received = await mailTo(`1-${address}`);
    expect(received.text).toContain('Eva!');
    await readMail(page, received, [subject]);
    const counted = await page.getByRole('link', { name: 'The programme' }).getAttribute('href');
    expect((await page.request.get(String(counted), { maxRedirects: 0 })).headers().location).toBe(LINK);
    expect(await mailsTo(`left-0-${address}`)).toEqual([]);
  });

  await test.step('reads the results', async () => {
    await page.goto(`${path}/results/`);
    await expect(figures.nth(1)).toContainText(String(CONFIRMED));
    await expect(figures.nth(2)).toHaveText(/^1 /);
    await page.goto('/newsletter/issues/');
    await expect(page.getByRole('link', { name: subject })).toBeVisible();
  });
});
