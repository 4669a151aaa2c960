import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { becomeAdmin, signInToAdmin } from './accounts';
import { addPicture, PICTURE, runInDjango } from './django';
import { chooseLanguage, DESKTOP, expect, test } from './site';

const ADD = '/admin/campaigns/campaign/add/';

const BODY = `# Fair winds

Three **regattas** have room.

[See the calendar](https://sailing.test/events){.button}

![A boat at dawn](media:${PICTURE})
`;

const frame = (page: Page, language: string) => page.locator(`#mail-${language}`);
const mail = (page: Page, language: string) => frame(page, language).contentFrame();
/** A field of the language whose tab is open. */
const field = (page: Page, name: string) => page.getByRole('textbox', { name }).filter({ visible: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const problems = (page: Page) => page.locator('#problems');
const offer = (page: Page) => page.locator('#campaign-draft');
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

test.use({ viewport: DESKTOP });

test.beforeEach(async ({ page, baseURL }) => {
  await chooseLanguage(page, 'en', baseURL);
  await becomeAdmin(page);
});

test('an admin writes a campaign and sees the mail at once', async ({ page }) => {
  await addPicture();
  await page.goto(ADD);
  await page.getByLabel('Name').fill('June');
  await field(page, 'Subject').fill('Fair winds in June');
  await field(page, 'Body').fill(BODY);
  const english = mail(page, 'en');
  await expect(english.getByRole('heading', { name: 'Fair winds', exact: true })).toBeVisible();

  // The style sheet and the picture load under the policy of the page.
  await expect(english.locator('.mail-card')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(english.getByAltText('A boat at dawn')).not.toHaveJSProperty('naturalWidth', 0);
  await page.getByLabel('Phone').check();
  await expect.poll(() => frame(page, 'en').evaluate((element) => element.clientWidth)).toBe(375);

  // What follows changes the mail where it is scrolled to.
  const scrollTop = () =>
    frame(page, 'en').evaluate((element: HTMLIFrameElement) => element.contentWindow?.scrollY);
  await frame(page, 'en').evaluate((element: HTMLIFrameElement) => element.contentWindow?.scrollTo(0, 200));
  await field(page, 'Body').fill(`${BODY}\n\nThe end`);
  await expect(english.getByText('The end', { exact: true })).toBeVisible();
  expect(await scrollTop()).toBe(200);

  // One language is missing: that is noted, and each text has its own tab and preview.
  await expect(problems(page)).toContainText('There is no text in this language');
  await page.getByRole('radio', { name: 'English' }).press('ArrowRight');
  await expect(page.locator('#inbox-cs')).toContainText('There is no text in this language yet');
  await expect(frame(page, 'en')).toBeHidden();
  await field(page, 'Subject').fill('Příznivý vítr');
  await expect(problems(page)).toContainText('The body is empty');
  await expect(page.locator('#checks-link')).toContainText('1 error');

  await field(page, 'Body').fill('slovo');
  await field(page, 'Body').press('ControlOrMeta+a');
  await field(page, 'Body').press('ControlOrMeta+b');
  await expect(field(page, 'Body')).toHaveValue('**slovo**');
  await expect(mail(page, 'cs').getByText('slovo').last()).toBeVisible();
  await expect(page.locator('#unsaved')).toBeVisible();
  await save(page).click();
  await expect(message(page)).toHaveText('Saved.');
  await expect(page.getByLabel('Name')).toHaveValue('June');
  await expect(page.locator('#unsaved')).toBeHidden();
  await page.goto(ADD);
  await expect(page.locator('.audience-total')).toBeVisible();
  await expect(offer(page)).toBeHidden();
});

test('an admin is told about the changes of another admin', async ({ page, context }) => {
  await openCampaign(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel('Name').fill('From the other');
  await save(other).click();
  await expect(message(other)).toHaveText('Saved.');

  await page.getByLabel('Name').fill('From the first');
  const asked = page.waitForEvent('dialog');
  const left = page.getByLabel('Breadcrumbs').getByRole('link', { name: 'Campaigns' }).click();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await left;

  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('was changed after you opened it');
  await expect(page.locator('#unsaved')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('From the first');
});

test('an admin keeps what was pasted from Word after a crash, until it is saved', async ({ page }) => {
  await openCampaign(page);
  const body = field(page, 'Body');
  await expect(body).toHaveJSProperty('selectionStart', BODY.length); // what a button inserts goes to the end
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
  await expect(mail(page, 'en').getByRole('heading', { name: 'On the water' })).toBeVisible();
  const pasted = await body.inputValue();
  await page.getByLabel('Show it in the public archive').check();

  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(body).toHaveValue(BODY);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(body).toHaveValue(pasted);
  await expect(page.getByLabel('Show it in the public archive')).toBeChecked();

  await save(page).click();
  await expect(message(page)).toHaveText('Saved.');
  await expect(offer(page)).toBeHidden();
});

test('an admin loses no text after being signed out', async ({ page, context }) => {
  const failed = page.getByText('Preview and checks cannot be updated');
  await page.goto(ADD);
  await expect(page.locator('.audience-total')).toBeVisible();
  await context.clearCookies({ name: 'sessionid' });
  await page.getByLabel('Name').fill('Written for hours');
  await expect(failed).toBeVisible();
  await save(page).click();
  await signInToAdmin(page);
  await page.goto(ADD);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Written for hours');
  await expect(failed).toBeHidden();
  await save(page).click();
  await expect(message(page)).toHaveText('Saved.');
  await page.goto(ADD);
  await expect(offer(page)).toBeHidden();
});

test('an admin leads from a check to its line in the other language', async ({ page }) => {
  const address = 'https://sailing.test/events';
  const area = field(page, 'Body');
  await openCampaign(page);
  await expect(problems(page)).toContainText(`${address} looks like a placeholder`);
  await page.getByLabel('Čeština').check();
  await field(page, 'Subject').fill('Příznivý vítr');
  await area.fill(`${'Ahoj\n\n'.repeat(60)}[sem](/lode)\n\nKonec`);
  await expect(problems(page)).toContainText('Line 121');
  await page.getByLabel('English').check();
  await area.fill('Ahoy');
  await expect(problems(page)).not.toContainText(address);
  await problems(page).getByRole('link', { name: 'Line 121' }).press('Enter');
  await expect(area).toBeFocused();
  await expect(area).toHaveAttribute('lang', 'cs');
  expect(await area.evaluate(() => String(getSelection()))).toBe('[sem](/lode)');
  expect(await area.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
});
