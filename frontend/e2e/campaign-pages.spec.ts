import { execFileSync } from 'node:child_process';

import { newAddress, openSubscriptions } from './accounts';
import { inspect } from './inspect';
import { linkIn, mailTo } from './mailbox';
import { DESKTOP, expect, LANGUAGES, PHONE, test } from './site';

/** Each language in one window. */
const WINDOWS = { en: DESKTOP, cs: PHONE };

const TEXTS = {
  en: {
    title: 'Fair winds',
    archive: 'Newsletter archive',
    preferences: 'Your newsletter',
    save: 'Save',
    pause: '30 days',
    resume: 'Resume now',
    why: 'Tell us why (optional)',
    reason: 'Too many emails',
    leave: 'Unsubscribe from everything',
    isLeft: 'You are unsubscribed.',
  },
  cs: {
    title: 'Příznivý vítr',
    archive: 'Archiv newsletteru',
    preferences: 'Váš newsletter',
    save: 'Uložit',
    pause: '30 dní',
    resume: 'Obnovit hned',
    why: 'Povězte nám proč (nepovinné)',
    reason: 'E-mailů je na mě moc',
    leave: 'Odhlásit vše',
    isLeft: 'Odběr jsme zrušili.',
  },
};

/** Let the site send a public campaign with a link to one subscriber. */
function sendCampaign(address: string, language: string, url: string): void {
  const code = `
from django.utils import timezone
from newsletter.campaigns.models import Campaign, CampaignLink, CampaignText, Delivery
from newsletter.models import Subscription
now = timezone.now()
subscription = Subscription.objects.create(
    email=${JSON.stringify(address)}, user_type="sailor", language="${language}", is_confirmed=True, confirmed_at=now
)
campaign = Campaign.objects.create(
    name="Journey", is_public=True, state="sending", started_at=now, prepared_at=now
)
CampaignLink.objects.create(campaign=campaign, url="${url}")
for language, title in {"en": "${TEXTS.en.title}", "cs": "${TEXTS.cs.title}"}.items():
    CampaignText.objects.create(
        campaign=campaign, language=language, subject=f"{title} {campaign.key}", body=f"# {title} {campaign.key}\\n\\n[Link](${url})"
    )
Delivery.objects.create(campaign=campaign, subscription=subscription, language="${language}")`;
  execFileSync('.venv/bin/python', ['manage.py', 'shell', '--verbosity', '0', '-c', code]);
}

for (const language of LANGUAGES) {
  test(`a reader opens an issue, follows a link, pauses and leaves (${language})`, async ({
    page,
    baseURL,
  }) => {
    const texts = TEXTS[language];
    const heading = page.getByRole('heading', { level: 1 });
    const address = newAddress();
    sendCampaign(address, language, `${baseURL}/events`);
    const mail = await mailTo(address);
    expect(mail.subject).toContain(texts.title);

    const issue = page.getByRole('link', { name: mail.subject });
    // The mail may arrive before the campaign counts as sent.
    await expect(async () => {
      await page.goto(`/newsletter/issues/?lang=${language}`);
      await expect(issue).toBeVisible({ timeout: 1000 });
    }).toPass();
    await expect(heading).toHaveText(texts.archive);
    await inspect(page, [WINDOWS[language]]);
    await issue.click();
    await expect(heading).toHaveText(mail.subject ?? '');
    await expect(page.getByRole('main').getByRole('link', { name: 'Link' })).toHaveAttribute(
      'href',
      `${baseURL}/events`,
    );
    await inspect(page, [WINDOWS[language]]);

    const [click = ''] = /http\S+\/newsletter\/go\/[\w-]+\//.exec(mail.text ?? '') ?? [];
    await page.goto(click);
    await expect(page).toHaveURL(/\/events/);

    const unsubscribe = linkIn(mail, 'unsubscribe');
    await page.goto(unsubscribe.replace('/unsubscribe/d/', '/preferences/'));
    await expect(heading).toHaveText(texts.preferences);
    await inspect(page, [WINDOWS[language]]);
    await page.getByText('English', { exact: true }).last().click();
    await page.getByText(texts.pause, { exact: true }).click();
    await page.getByRole('button', { name: texts.save }).click();
    await expect(page.getByRole('status')).toBeVisible();
    await page.getByRole('button', { name: texts.resume }).click();
    await expect(page.getByRole('button', { name: texts.resume })).toBeHidden();
    await page.getByText(texts.why).click();
    await page.getByText(texts.reason).click();
    await inspect(page, [WINDOWS[language]]);
    await page.getByRole('button', { name: texts.leave }).click();
    await expect(page.getByRole('status')).toHaveText(texts.isLeft);
    await inspect(page, [WINDOWS[language]]);

    await page.goto(unsubscribe);
    await expect(page.getByRole('status')).toBeVisible();
    const rows = await openSubscriptions(page, address);
    await expect(rows).toContainText('Unsubscribed');
  });
}
