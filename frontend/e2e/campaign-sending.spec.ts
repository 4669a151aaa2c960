import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { ADMIN, newAddress, openAdmin, PASSWORD } from './accounts';
import { runInDjango } from './django';
import { inspect } from './inspect';
import { mailsTo } from './mailbox';
import { chooseLanguage, DATABASE, DESKTOP, expect, test } from './site';

const RECIPIENTS = 120;

const NUMBER = new RegExp(`^${RECIPIENTS}$`);

/** Store a draft in both languages and its recipients. Return its key and the address of one recipient. */
function writeCampaign(): { campaign: string; address: string } {
  const address = newAddress();
  const output = runInDjango(`
from django.utils import timezone
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.models import Subscription
Subscription.objects.bulk_create(
    Subscription(email=f"{number}-${address}", user_type="sailor", language="cs", is_imported=True,
                 is_confirmed=True, confirmed_at=timezone.now())
    for number in range(${RECIPIENTS})
)
campaign = Campaign.objects.create(name="Regatta", user_type="sailor", source="imported")
for code, subject in (("en", "The regatta begins"), ("cs", "Regata začíná")):
    CampaignText.objects.create(campaign=campaign, language=code, subject=subject,
        body="# Ahoy\\n\\nRead [the programme](https://sailing.cz/regatta) and join us.")
print(campaign.pk)`);
  return { campaign: output.trim(), address: `0-${address}` };
}

/** Store a cancelled campaign with a failed mail, and an admin who may only view campaigns. */
function writeCancelledCampaign(): { campaign: string; viewer: { email: string; password: string } } {
  const viewer = { email: newAddress(), password: PASSWORD };
  const output = runInDjango(`
from django.contrib.auth.models import Permission
from django.utils import timezone
from accounts.models import User
from newsletter.campaigns.models import Campaign, Delivery
from newsletter.models import Subscription
now = timezone.now()
campaign = Campaign.objects.create(
    name="Cancelled", state="cancelled", started_at=now, prepared_at=now, finished_at=now
)
owner = Subscription.objects.create(email="${newAddress()}")
Delivery.objects.create(campaign=campaign, subscription=owner, language="en", state="failed",
    last_error=f"550 <{owner.email}> unknown", ended_at=now)
viewer = User.objects.create_user("${viewer.email}", "${viewer.password}", is_staff=True)
viewer.user_permissions.add(Permission.objects.get(codename="view_campaign"))
print(campaign.pk)`);
  return { campaign: output.trim(), viewer };
}

/** The button of a form that posts to an action of the campaign. */
const actionButton = (page: Page, action: string): Locator =>
  page.locator(`form[action$="/${action}/"] button`);

const state = (page: Page): Locator => page.locator('.job-progress[data-running], .job-progress').first();

test.describe('in Czech', () => {
  test.use({ viewport: DESKTOP, timezoneId: 'Europe/Prague' });
  test.beforeEach(({ page, baseURL }) => chooseLanguage(page, 'cs', baseURL));

  test(
    'an admin schedules, sends and pauses a campaign and reads its figures',
    DATABASE,
    async ({ page }) => {
      const { campaign, address } = writeCampaign();
      const path = `/admin/campaigns/campaign/${campaign}`;
      await openAdmin(page, ADMIN);

      // Schedule it, and take it back.
      await page.goto(`${path}/send/`);
      await expect(page.locator('.campaign-count strong')).toHaveText(NUMBER);
      await inspect(page);
      await page.setViewportSize(DESKTOP);
      await expect(page.locator('input[name=zone]')).toHaveValue('Europe/Prague');
      await page.locator('input[name=at_0]').fill('2020-05-01');
      await page.locator('input[name=at_1]').fill('09:30');
      await page.locator('button[name=schedule]').click();
      await expect(page.locator('#at-error')).toBeVisible();
      await page.locator('input[name=at_0]').fill(`${new Date().getFullYear() + 1}-05-01`);
      await page.locator('button[name=schedule]').click();
      await expect(page).toHaveURL(`${path}/progress/`);
      await expect(page.locator('.job-progress')).toContainText('Europe/Prague');
      await expect(page.locator('.job-progress')).toContainText('9:30');
      await inspect(page);
      await page.setViewportSize(DESKTOP);
      await actionButton(page, 'unschedule').click();
      await expect(page).toHaveURL(`${path}/change/`);

      // Send it, and pause it while it is sent.
      await page.goto(`${path}/send/`);
      await page.locator('button[name=send]').dblclick();
      await expect(page).toHaveURL(`${path}/progress/`);
      await actionButton(page, 'pause').click();
      await expect(state(page)).toHaveAttribute('data-running', 'paused');
      await inspect(page);
      await page.setViewportSize(DESKTOP);
      await actionButton(page, 'resume').click();
      await expect(state(page)).toHaveAttribute('data-running', 'sending');

      // The page follows by itself until the end.
      await expect(page.locator('form[action$="/pause/"]')).toHaveCount(0, { timeout: 60_000 });
      await expect(state(page)).not.toHaveAttribute('data-running');
      await expect(page.locator('.file-good dd')).toHaveText(NUMBER);
      expect(await mailsTo(address)).toHaveLength(1);

      // The figures, on the page and in the file.
      await page.locator(`.campaign-pages a[href="${path}/figures/"]`).click();
      await expect(page.locator('.campaign-sent dd')).toContainText(String(RECIPIENTS));
      await expect(page.locator('.campaign-link')).toHaveText('https://sailing.cz/regatta');
      await inspect(page);
      await page.setViewportSize(DESKTOP);
      const download = page.waitForEvent('download');
      await actionButton(page, 'export').click();
      const file = readFileSync(await (await download).path(), 'utf8');
      expect(file).toContain(`"sent","","${RECIPIENTS}","100.00"`);

      await page.goto(`${path}/history/`);
      await expect(page.locator('#change-history tbody tr')).toHaveCount(6);
    },
  );
});

test('an admin without the permissions sees the progress alone', async ({ page }) => {
  const { campaign, viewer } = writeCancelledCampaign();
  const path = `/admin/campaigns/campaign/${campaign}`;
  await openAdmin(page, viewer);
  await page.goto(`${path}/progress/`);
  await expect(page.locator('.campaign-reason')).toHaveText('550 <[address]> unknown');
  await expect(page.locator('main form[method=post]:not(.language-switch)')).toHaveCount(0);
  await expect(page.locator(`a[href="${path}/figures/"]`)).toHaveCount(0);
  for (const name of ['send', 'figures']) {
    const answer = await page.goto(`${path}/${name}/`);
    expect(answer?.status()).toBe(403);
  }
});
