import type { APIResponse, Page } from '@playwright/test';

import { becomeMember, createAccount, newAccount, newAddress } from './accounts';
import { runInDjango } from './django';
import { mailTo } from './mailbox';
import { findMarkupErrors } from './markup';
import { HELP_PATHS, ROUTES } from './pages';
import { chooseLanguage, expect, type Language, LANGUAGES, SWEEP, test, waitForHydration } from './site';

async function expectValid(name: string, html = '', kind: 'page' | 'mail' = 'page'): Promise<void> {
  expect.soft(await findMarkupErrors(html, kind), name).toEqual([]);
}

/** Visit pages of React. */
async function expectPagesToBeValid(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    const response = await page.goto(path);
    await expectValid(`${path}, as served`, await response?.text());
    await waitForHydration(page);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight)); // parts load when they are seen
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectValid(`${path}, rendered`, await page.content());
  }
}

interface Links extends Record<'open' | 'alsoOpen' | 'expired', string[]> {
  issue: string;
}

/** Store an issue of the newsletter, and two links of each purpose that can be opened and one that has expired. */
async function writeLinks(language: Language): Promise<Links> {
  const json = await runInDjango(`
import json
from datetime import timedelta
from uuid import uuid4
from django.utils import timezone
from accounts.models import AccountLink, User
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.models import Interest, Subscription, SubscriptionLink
from sailing.mail_links.tokens import link_path
def write(view, purpose, lifetime=None):
    email = f"{uuid4()}@example.org"
    if view.startswith("accounts:"):
        owner = {"user": User.objects.create_user(email, first_name="Eva"), "email": email}
        (token,) = AccountLink.issue(purpose, lifetime=lifetime, **owner)
    else:
        subscription = Subscription.objects.create(email=email, user_type="sailor", language="${language}")
        (token,) = SubscriptionLink.issue(purpose, lifetime=lifetime, subscription=subscription)
    return link_path(view, token=token, language="${language}")
expiring = {"accounts:verify": "verify", "accounts:reset": "reset", "accounts:change_email": "change-email",
    "accounts:undo_email": "undo-email", "newsletter:confirm": "confirm"}
views = {**expiring, "newsletter:unsubscribe": "unsubscribe", "newsletter:preferences": "preferences"}
Interest.objects.get_or_create(name_en="Regattas & races", name_cs="Regaty & závody")
now = timezone.now()
campaign = Campaign.objects.create(name="Markup", is_public=True, state="sent", started_at=now, prepared_at=now)
body = """# Fair winds

## On the water

Ahoy {first_name|sailor}, **bold** & *italic*

- one
- two

1. one

> Quote

***

[Boats](https://sailing.test/?a=1&b=2){.button}

![A boat](media:og.jpg)

::: columns
Left
::: next
![A crew](media:og.jpg){width=200}
::: end"""
CampaignText.objects.create(campaign=campaign, language="${language}", subject="Fair winds", body=body)
print(json.dumps({
    "open": [write(*each) for each in views.items()],
    "alsoOpen": [write(*each) for each in views.items()],
    "expired": [write(*each, timedelta(days=-1)) for each in expiring.items()],
    "issue": f"/newsletter/issues/{campaign.key}/",
}))`);
  return JSON.parse(json) as Links;
}

/** Return the error pages and the mails by the name of their template. */
async function renderTemplates(language: Language): Promise<Record<string, string>> {
  const json = await runInDjango(`
import json
from pathlib import Path
from django.template.loader import render_to_string
from django.utils.translation import override
folder = Path("templates")
names = [str(path.relative_to(folder)) for path in [*folder.glob("[45]*.html"), *folder.glob("mails/*/*.html")]]
context = {"language": "${language}", "subject": "Fair winds", "hours": 72, "days": 3, "confirm_days": 7}
with override("${language}"):
    print(json.dumps({name: render_to_string(name, context) for name in names}))`);
  return JSON.parse(json) as Record<string, string>;
}

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, SWEEP, () => {
    test.beforeEach(({ page, baseURL }) => chooseLanguage(page, language, baseURL));

    test('the pages of React are valid HTML', async ({ page }) => {
      const paths = (access: string) =>
        ROUTES.filter((route) => route.access === access).map(({ path }) => path);
      await expectPagesToBeValid(page, [...paths('public'), ...HELP_PATHS]);
      await becomeMember(page);
      await expectPagesToBeValid(page, paths('member'));
    });

    test('the pages of Django and the mails are valid HTML', async ({ page: { request } }) => {
      const check = async (name: string, response: APIResponse, kind?: 'mail') => {
        expect(response.status(), name).not.toBe(500);
        await expectValid(name, await response.text(), kind);
      };
      const get = async (path: string, kind?: 'mail') => check(path, await request.get(path), kind);
      const post = async (path: string, form: Record<string, string> = {}) =>
        check(`${path} ${JSON.stringify(form)}`, await request.post(path, { form }));
      const { open, alsoOpen, expired, issue } = await writeLinks(language);
      for (const path of open) {
        await get(path);
        await get(`${path}&not-me=1`);
        await post(path);
        await get(path);
        await post(path, { language, pause: '30' });
        await post(path, { leave: '', reason: 'too-many' });
      }
      for (const path of alsoOpen) await post(path, { not_me: '' });
      for (const path of expired) {
        await get(path);
        await post(path, { renew: '' });
      }
      await get(issue, 'mail'); // has the tables of the mail
      const paths = [
        '/newsletter/issues/',
        '/newsletter/subscribed/',
        '/account/verify/unknown/',
        '/admin/login/',
      ];
      for (const path of paths) await get(path);
      const subscriber = newAddress();
      for (const email of ['nonsense', subscriber])
        await post('/newsletter/subscribe/', { email, userType: 'sailor' });

      const account = newAccount();
      await createAccount(request, account);
      const mails = await Promise.all([account.email, subscriber].map(mailTo));
      for (const { html, subject } of mails) await expectValid(subject ?? '', html, 'mail');
      for (const [name, html] of Object.entries(await renderTemplates(language)))
        await expectValid(name, html, name.startsWith('mails/') ? 'mail' : 'page');
    });
  });
}
