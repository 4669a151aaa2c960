import { createAccount, newAccount, newAddress } from './accounts';
import { runInDjango } from './django';
import { mailTo } from './mailbox';
import { findMarkupErrors } from './markup';
import { HELP_PATHS, ROUTES } from './pages';
import { chooseLanguage, expect, type Language, LANGUAGES, SWEEP, test } from './site';

async function expectValid(name: string, html = '', kind: 'page' | 'mail' = 'page'): Promise<void> {
  expect.soft(await findMarkupErrors(html, kind), name).toEqual([]);
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
from newsletter import tokens
from newsletter.models import Interest, Subscription, SubscriptionLink
from django.conf import settings
from sailing.mail.links import link_url
def write(view, purpose, lifetime=None):
    email = f"{uuid4()}@example.org"
    if view.startswith("accounts:"):
        owner = {"user": User.objects.create_user(email, first_name="Eva"), "email": email}
        token = AccountLink.issue(purpose, lifetime=lifetime, **owner)
    else:
        subscription = Subscription.objects.create(email=email, user_type="sailor", language="${language}")
        if purpose == "manage":
            token = tokens.build(subscription.pk)
        else:
            token = SubscriptionLink.issue(purpose, lifetime=lifetime, subscription=subscription)
    return link_url(view, token=token, language="${language}").removeprefix(settings.SITE_URL)
expiring = {"accounts:verify": "verify", "accounts:reset": "reset", "accounts:change_email": "change-email",
    "newsletter:confirm": "confirm"}
views = {**expiring, "newsletter:manage": "manage"}
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

![A boat](https://sailing.test/boat.jpg)

::: columns
Left
::: next
![A crew](https://sailing.test/boat.jpg){width=200}
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
context = {"language": "${language}", "subject": "Fair winds", "hours": 72, "layout": "mails/base.html", "is_html": True}
with override("${language}"):
    print(json.dumps({name: render_to_string(name, context) for name in names}))`);
  return JSON.parse(json) as Record<string, string>;
}

// `inspect` validates what React renders, and admin-pages.spec.ts the pages of Django admin.
for (const language of LANGUAGES) {
  test(`pages and mails are valid HTML as they are sent (${language})`, SWEEP, async ({ page, baseURL }) => {
    const { request } = page;
    await chooseLanguage(page, language, baseURL);
    const get = async (path: string, { status = 200, kind }: { status?: number; kind?: 'mail' } = {}) => {
      const response = await request.get(path);
      expect(response.status(), path).toBe(status);
      await expectValid(path, await response.text(), kind);
    };
    const post = async (path: string, form: Record<string, string> = {}) => {
      const response = await request.post(path, { form });
      expect(response.status(), path).toBeLessThan(500);
      await expectValid(`${path} ${JSON.stringify(form)}`, await response.text());
    };
    const { open, alsoOpen, expired, issue } = await writeLinks(language);
    for (const path of open) {
      await get(path);
      await get(`${path}&not-me=1`);
      await post(path);
      await get(path);
      await post(path, { comment: 'x'.repeat(501) });
      await post(path, { preferences: '1', language, audience: 'company' });
      await post(path, { reason: 'too-many' });
    }
    for (const path of alsoOpen) await post(path, { not_me: '' });
    for (const path of expired) {
      await get(path);
      await post(path, { renew: '' });
    }
    await get(issue, { kind: 'mail' }); // has the tables of the mail
    const routes = ROUTES.filter(({ page: name }) => name !== 'not-found').map(({ path }) => path);
    for (const path of [...routes, '/newsletter/issues/', '/newsletter/subscribed/', '/admin/login/'])
      await get(path);
    for (const path of ['/no-such-port', ...HELP_PATHS, '/account/verify/unknown/'])
      await get(path, { status: 404 });
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
}
