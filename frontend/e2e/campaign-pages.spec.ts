import { randomUUID } from 'node:crypto';

import { becomeAdmin, newAddress, openSubscriptions } from './accounts';
import { addPicture, PICTURE, runInDjango } from './django';
import { inspect } from './inspect';
import { linkIn, mailTo, readMail } from './mailbox';
import { chooseLanguage, expect, heading, main, PHONE, test } from './site';

const TITLES = { en: 'Fair winds', cs: 'Příznivý vítr' };

/** Let the site send a public campaign with a link to one subscriber. */
async function sendCampaign(address: string, url: string): Promise<void> {
  await addPicture();
  await runInDjango(`
from django.utils import timezone
from newsletter.campaigns.models import Campaign, CampaignLink, CampaignText, Delivery
from newsletter.models import Subscription
now = timezone.now()
subscription = Subscription.objects.create(
    email=${JSON.stringify(address)}, user_type="sailor", language="cs", is_confirmed=True, confirmed_at=now
)
campaign = Campaign.objects.create(
    name="Journey", is_public=True, state="sending", started_at=now, prepared_at=now
)
CampaignLink.objects.create(campaign=campaign, url="${url}")
for language, title in {"en": "${TITLES.en}", "cs": "${TITLES.cs}"}.items():
    CampaignText.objects.create(
        campaign=campaign, language=language, subject=f"{title} {campaign.key} {'x' * 40}", body=f"# {title} {campaign.key} {'x' * 40}\\n\\n[Link](${url}) ![A boat](media:${PICTURE})"
    )
Delivery.objects.create(campaign=campaign, subscription=subscription, language="cs")`);
}

test('a reader opens an issue, follows a link, pauses and leaves, in Czech', async ({ page, baseURL }) => {
  const address = newAddress();
  await sendCampaign(address, `${baseURL}/events`);
  const mail = await mailTo(address);
  expect(mail.subject).toContain(TITLES.cs);
  await readMail(page, mail, ['A boat']);

  const issue = page.getByRole('link', { name: mail.subject });
  // The mail may arrive before the campaign counts as sent.
  await expect(async () => {
    await page.goto('/newsletter/issues/?lang=cs');
    await expect(issue).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(heading(page)).toHaveText('Archiv newsletteru');
  await inspect(page, [PHONE]);
  await issue.click();
  await expect(heading(page)).toHaveText(mail.subject ?? '');
  await expect(main(page).getByRole('link', { name: 'Link' })).toHaveAttribute('href', `${baseURL}/events`);
  await inspect(page, [PHONE]);

  const [click = ''] = /http\S+\/newsletter\/go\/[\w-]+\//.exec(mail.text ?? '') ?? [];
  await page.goto(click);
  await expect(page).toHaveURL(/\/events/);

  await page.goto(linkIn(mail, 'manage'));
  await expect(heading(page)).toHaveText('Váš newsletter');
  await page.getByText('English', { exact: true }).last().click();
  await page.getByText('30 dní', { exact: true }).click();
  await page.getByRole('button', { name: 'Uložit' }).click();
  await expect(page.getByRole('status')).toBeVisible();
  await page.getByText('Ukončit pauzu', { exact: true }).click();
  await page.getByRole('button', { name: 'Uložit' }).click();
  await expect(page.getByText('Ukončit pauzu', { exact: true })).toBeHidden();
  await inspect(page, [PHONE]);
  await page.getByRole('button', { name: 'Odhlásit odběr' }).click();
  await expect(page.getByRole('status')).toContainText('Odběr jsme zrušili.');
  await page.getByText('Napište nám vlastními slovy').click();
  await inspect(page, [PHONE]);
  await page.getByRole('button', { name: 'E-mailů je na mě moc' }).click();
  await expect(page.getByRole('status').last()).toHaveText('Děkujeme, to nám pomůže.');
  await expect(await openSubscriptions(page, address)).toContainText('Unsubscribed');
});

test('a double click on a button of Django admin acts once', async ({ page, baseURL }) => {
  const name = randomUUID();
  const key = await runInDjango(`
from newsletter.campaigns.models import Campaign
print(Campaign.objects.create(name="${name}").pk)`);
  await chooseLanguage(page, 'en', baseURL);
  await becomeAdmin(page);
  await page.goto(`/admin/campaigns/campaign/${key.trim()}/change/`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Duplicate' }).dblclick({ delay: 120 });
  await expect(page.getByText('You are editing the copy now.')).toBeVisible();
  await page.goto(`/admin/campaigns/campaign/?q=${name}`);
  await expect(page.locator('#result_list tbody tr')).toHaveCount(2);
});
