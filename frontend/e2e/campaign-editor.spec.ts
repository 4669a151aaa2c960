import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { becomeAdmin, signInToAdmin } from './accounts';
import { hold } from './chunks';
import { addPicture, PICTURE, runInDjango } from './django';
import { inspect } from './inspect';
import { chooseLanguage, DESKTOP, expect, SWEEP, test } from './site';

const ADD = '/admin/campaigns/campaign/add/';

const BODY = `# Fair winds

Three **regattas** have room.

[See the calendar](https://sailing.test/events){.button}

![A boat at dawn](media:${PICTURE})
`;

/** The frame of the preview. A newer frame replaces it at any time, so only assertions with a retry look inside. */
const frameElement = (page: Page) => page.locator('#preview iframe:not(.is-loading)');
const mail = (page: Page) => frameElement(page).contentFrame();
/** A field of the language whose tab is open. */
const field = (page: Page, name: string) => page.getByRole('textbox', { name });
const problems = (page: Page) => page.locator('#problems');
const message = (page: Page) => page.locator('.messagelist li');

/** Open a new campaign in English. */
async function openCampaign(page: Page): Promise<void> {
  await addPicture();
  const key = await runInDjango(`
from newsletter.campaigns.models import Campaign, CampaignText
campaign = Campaign.objects.create(name="June")
CampaignText.objects.create(campaign=campaign, language="en", subject="Regattas", body=${JSON.stringify(BODY)})
print(campaign.pk)`);
  await page.goto(`/admin/campaigns/campaign/${key.trim()}/change/`);
}

test.describe('an admin', () => {
  test.use({ viewport: DESKTOP });

  test.beforeEach(async ({ page, baseURL }) => {
    await chooseLanguage(page, 'en', baseURL);
    await becomeAdmin(page);
  });

  test('writes a campaign and sees the mail at once', async ({ page }) => {
    await addPicture();
    await page.goto(ADD);
    await page.getByLabel('Name').fill('June');
    await field(page, 'Subject').fill('Fair winds in June');
    await field(page, 'Body').fill(BODY);
    const frame = mail(page);
    await expect(frame.getByRole('heading', { name: 'Fair winds', exact: true })).toBeVisible();

    // The style sheets and the picture load under the policy of the page.
    const card = frame.locator('.mail-card');
    await expect(card).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await expect(frame.getByAltText('A boat at dawn')).not.toHaveJSProperty('naturalWidth', 0);
    await page.getByLabel('Dark mode').check();
    await expect(card).not.toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await page.getByLabel('Phone').check();
    await expect(frameElement(page)).toHaveJSProperty('clientWidth', 375);
    await page.getByLabel('Plain text').check();
    await expect(page.locator('.preview-plain')).toContainText(
      'See the calendar (https://sailing.test/events)',
    );

    // One language is missing: that is noted, and each text has its own tab and preview.
    await expect(problems(page)).toContainText('There is no text in this language');
    await page.getByRole('tab', { name: 'English' }).press('ArrowRight');
    await expect(page.locator('#preview')).toContainText('There is no text in this language yet');
    await field(page, 'Subject').fill('Příznivý vítr');
    await expect(problems(page)).toContainText('The body is empty');

    await field(page, 'Body').fill('slovo');
    await field(page, 'Body').press('ControlOrMeta+a');
    await field(page, 'Body').press('ControlOrMeta+b');
    await expect(field(page, 'Body')).toHaveValue('**slovo**');
    // Ctrl+B on a Cyrillic keyboard, then on Dvorak, where B lies at N.
    for (const [key, code] of [
      ['и', 'KeyB'],
      ['b', 'KeyN'],
    ]) {
      await field(page, 'Body').fill('slovo');
      await field(page, 'Body').press('ControlOrMeta+a');
      await field(page, 'Body').dispatchEvent('keydown', { key, code, ctrlKey: true });
      await expect(field(page, 'Body')).toHaveValue('**slovo**');
    }
    await expect(page.locator('.preview-plain')).toContainText('slovo');
    await expect(page.locator('#unsaved')).toBeVisible();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(message(page)).toHaveText('Saved.');
    await expect(page.getByLabel('Name')).toHaveValue('June');
    await expect(page.locator('#unsaved')).toBeHidden();
  });

  test('keeps unsaved changes, and is told about those of another admin', async ({ page, context }) => {
    await openCampaign(page);
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByLabel('Name').fill('From the other');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(message(other)).toHaveText('Saved.');

    await page.getByLabel('Name').fill('From the first');
    const asked = page.waitForEvent('dialog');
    const left = page.getByLabel('Breadcrumbs').getByRole('link', { name: 'Campaigns' }).click();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await left;

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('was changed after you opened it');
    await expect(page.getByLabel('Name')).toHaveValue('From the first');
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open the current version' }).click();
    const current = await opened;
    await expect(current.getByLabel('Name')).toHaveValue('From the other');
  });

  test('keeps what was pasted from Word after a crash, until it is saved', async ({ page, context }) => {
    await openCampaign(page);
    const body = field(page, 'Body');
    await body.fill('');
    const html = readFileSync('frontend/src/admin/clipboard/word.txt', 'utf8');
    await body.evaluate((area, copied) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', copied);
      clipboardData.setData('text/plain', 'Fair winds in June');
      area.focus();
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, html);
    await expect(body).toHaveValue(/^# Fair winds in June\n\nThree \*\*regattas\*\*/);
    await expect(mail(page).getByRole('heading', { name: 'On the water' })).toBeVisible();
    const pasted = await body.inputValue();

    // Another admin saves meanwhile, and the browser is closed.
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Discard' }).click();
    await other.getByLabel('Name').fill('From the other');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(message(other)).toHaveText('Saved.');
    await other.close();
    await body.press('End');
    await body.press('x');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    const offer = page.locator('#campaign-draft');
    await expect(offer).toContainText('Restore what you typed');
    await expect(offer).toContainText('The campaign was saved after that');
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(body).toHaveValue(/^# Fair winds in June/);
    expect((await body.inputValue()).length).toBe(pasted.length + 1);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect(page.getByRole('button', { name: 'Send the test' })).toBeVisible();
    await page.goto(ADD);
    await page.goBack();
    await page.getByRole('link', { name: 'Text', exact: true }).click();
    await expect(body).toHaveValue(/^# Fair winds in June/);
    await expect(offer).toBeHidden();
  });

  test('keeps a new campaign that the server failed to save', SWEEP, async ({ page }) => {
    await page.goto(ADD);
    await page.getByLabel('Name').fill('Not saved');
    await page.route(`**${ADD}`, (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503 }) : route.continue(),
    );
    const answer = page.waitForResponse((response) => response.status() === 503);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await answer;
    await page.unroute(`**${ADD}`);

    const offer = page.locator('#campaign-draft');
    await page.goto(ADD);
    await expect(offer).toContainText('Restore what you typed');
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('Not saved');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(message(page)).toHaveText('Saved.');
    await expect(page).toHaveURL(/\/change\/$/);
    await page.goto(ADD);
    await expect(page.locator('.audience-total')).toBeVisible();
    await expect(offer).toBeHidden();
  });

  test('leads from a check to its line in the other language', async ({ page }) => {
    const address = 'https://sailing.test/events';
    const area = field(page, 'Body');
    await openCampaign(page);
    await expect(problems(page)).toContainText(`${address} looks like a placeholder`);
    await page.getByRole('tab', { name: 'Čeština' }).click();
    await field(page, 'Subject').fill('Příznivý vítr');
    await area.fill(`${'Ahoj\n\n'.repeat(60)}[sem](/lode)\n\nKonec`);
    await expect(problems(page)).toContainText('Line 121');
    await expect(problems(page)).toContainText(address);
    await page.getByRole('tab', { name: 'English' }).click();
    await area.fill('Ahoy');
    await expect(problems(page)).not.toContainText(address);
    await problems(page).getByRole('link', { name: 'Line 121' }).press('Enter');
    await expect(area).toBeFocused();
    await expect(area).toHaveAttribute('lang', 'cs');
    expect(await area.evaluate(() => String(getSelection()))).toBe('[sem](/lode)');
    expect(await area.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  });

  test('shows that a preview failed until one succeeds', async ({ page }) => {
    const notice = page.getByText('The preview could not be updated');
    await page.goto(ADD);
    const region = page
      .getByRole('complementary', { name: 'Preview and checks' })
      .getByRole('status')
      .first();
    await expect(region).toBeEmpty();
    await expect(page.locator('.audience-total')).toBeVisible();
    const counts = await hold(page, '**/audience/');
    await page.route('**/preview/', (route) => route.abort());
    await field(page, 'Subject').fill('Fair winds'); // changes the counts too
    await expect(region).toContainText('The preview could not be updated');
    const oldCounts = await page.locator('.audience-total').elementHandle();
    await counts.release();
    await expect.poll(() => oldCounts.evaluate((element) => element.isConnected)).toBe(false);
    await expect(notice).toBeVisible();
    await page.unroute('**/preview/');
    await field(page, 'Body').fill('Ahoy');
    await expect(notice).toBeHidden();
  });

  test('loses no text after being signed out', async ({ page, context }) => {
    await page.goto(ADD);
    await page.getByLabel('Name').fill('Written for hours');
    await context.clearCookies({ name: 'sessionid' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('You are signed out')).toBeVisible();
    const other = await context.newPage();
    await signInToAdmin(other);
    await other.close();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(message(page)).toHaveText('Saved.');
    await expect(page.getByLabel('Name')).toHaveValue('Written for hours');
  });
});

test('the pages of a campaign are accessible and fit a phone, in Czech', SWEEP, async ({ page, baseURL }) => {
  await chooseLanguage(page, 'cs', baseURL);
  await becomeAdmin(page);
  await openCampaign(page);
  await inspect(page);
  const editor = page.url();
  for (const path of ['test', 'preview']) {
    await page.goto(editor.replace('change', path));
    await inspect(page);
  }
});
