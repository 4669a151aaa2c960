import type { Page } from '@playwright/test';

import { becomeAdmin, newAddress } from './accounts';
import { runInDjango } from './django';
import { inspect } from './inspect';
import { chooseLanguage, DESKTOP, expect, PHONE, SWEEP, test } from './site';

/** As long as a name, an address, a file name or an error may be, without a place to break. */
const LONG = 'x'.repeat(60);

/** Where a page has the template of others: the history and the deletion of a row, and the form that also changes it. */
const KIND_OF_ROW = /^.*(?=\/(history|delete|add)\/$)/;

/** Store a row of each kind that an admin page shows. Return the key of a draft. */
async function writeLongRows(): Promise<string> {
  const output = await runInDjango(`
from django.contrib.admin.models import CHANGE, LogEntry
from django.utils import timezone
from accounts.models import User
from newsletter.imports.services import IMPORT
from newsletter.campaigns.models import Campaign, CampaignText, Delivery, Picture
from newsletter.models import Subscription
from newsletter.imports.models import ImportBatch
from sailing.jobs.models import Job
from sailing.mail.models import OutboxEmail
now, long = timezone.now(), "${LONG}"
url = f"https://sailing.test/{long}/{long}"
admin = User.objects.get(email="admin@sailing.example")
User.objects.create_user(f"{long}-${newAddress()}", first_name=long[:30], last_name=long[:30])
batch = ImportBatch.objects.create(file_name=f"{long}{long}.csv", created_by=admin, origin=long, consent_date=now,
    consent_proof=long, counts={"added-confirmed": 1, "address": 1})
batch.job = Job.objects.create(kind=IMPORT, state="failed", attempts=5, error=f"{long}{long}", created_by=admin,
    finished_at=now, arguments={"batch": batch.pk})
batch.save()
owner = Subscription.objects.create(email=f"{long}${newAddress()}", user_type="sailor", language="cs", is_active=True,
    is_confirmed=True, confirmed_at=now, import_batch=batch)
Subscription.objects.create(email=owner.email, user_type="company")
OutboxEmail.objects.create(recipient=owner.email, subject=long, message_id=f"<{long}@sailing.test>", state="failed",
    attempts=5, last_error=f"550 {url}")
for state in ("draft", "sending", "cancelled"):
    began = None if state == "draft" else now
    campaign = Campaign.objects.create(name=long, state=state, started_at=began, prepared_at=began)
    for language in ("en", "cs"):
        CampaignText.objects.create(campaign=campaign, language=language, subject=long,
            body=f"# {long}\\n\\n[{long}]({url}) ![{long}]({url}.webp) {url}\\n\\n[{long}](http://{long})")
    if began:
        Delivery.objects.create(campaign=campaign, subscription=owner, language="en", state="failed",
            last_error=f"550 {url}", ended_at=now)
Picture.objects.create(name=f"{owner.pk.hex[:24]}.jpg", alt_text_en=long, alt_text_cs=long, width=1200, height=900)
LogEntry.objects.log_actions(admin.pk, [owner, campaign], CHANGE, change_message=url)
print(Campaign.objects.filter(state="draft", name=long).latest("pk").pk)`);
  return output.trim();
}

/** Expect that the page fits the narrowest window, with buttons for a finger (WCAG 2.5.5) and whole words in headings; in a sweep also axe. */
async function inspectPage(page: Page): Promise<void> {
  await inspect(page, test.info().tags.includes(SWEEP.tag) ? [DESKTOP, PHONE] : []);
  const wrong = await page.evaluate(() => {
    const lowButtons = [...document.querySelectorAll('button, .button, [type=submit], select, summary')]
      .filter((button) => button.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((button) => Math.round(button.getBoundingClientRect().height) < 44);
    const brokenHeadings = [...document.querySelectorAll('thead th')].filter((heading) => {
      const range = document.createRange();
      range.selectNodeContents(heading);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      return lines.size > heading.textContent.trim().split(/\s+/).length;
    });
    return [...lowButtons, ...brokenHeadings].map((element) => element.outerHTML.slice(0, 120));
  });
  expect.soft(wrong, page.url()).toEqual([]);
}

/** Visit one page of each kind, by following all links of Django admin. Return the kinds. */
async function inspectPages(page: Page, start: string): Promise<string[]> {
  const isSweep = test.info().tags.includes(SWEEP.tag);
  const toVisit = new Map([
    ['/admin/', '/admin/'],
    [start, start],
  ]);
  for (const address of toVisit.values()) {
    expect((await page.goto(address))?.status(), address).toBe(200);
    await inspectPage(page);
    const links = await page.evaluate(() =>
      [...document.links].filter((link) => !link.hasAttribute('download')).map(({ href }) => href),
    );
    for (const { origin, pathname, search } of links.map((link) => new URL(link))) {
      const path = pathname.replace(/[^/]*\d[^/]*/g, 'N');
      const kind = isSweep ? path : path.replace(KIND_OF_ROW, '');
      const isInAdmin = origin === new URL(page.url()).origin && pathname.startsWith('/admin/');
      if (isInAdmin && !toVisit.has(kind)) toVisit.set(kind, pathname + search);
    }
  }
  return [...toVisit.keys()];
}

for (const [language, details] of [
  ['cs', {}],
  ['en', SWEEP],
] as const) {
  test(
    `every page of Django admin fits and is accessible (${language})`,
    details,
    async ({ page, baseURL }) => {
      test.slow();
      const draft = await writeLongRows();
      await chooseLanguage(page, language, baseURL);
      await becomeAdmin(page);
      const kinds = await inspectPages(page, `/admin/campaigns/campaign/${draft}/send/`);
      expect(kinds).toContain('/admin/jobs/job/N/change/');
      await page.goto('/admin/newsletter/subscription/');
      await page.locator('#action-toggle').check();
      await page.locator('[name=action]').selectOption({ index: 1 });
      await page.locator('[name=index]').click();
      await expect(page.locator('.buttons')).toBeVisible();
      await inspectPage(page);
      await page.goto('/admin/imports/importbatch/import/');
      const cells = [[LONG, 'email', LONG], [LONG, newAddress(), LONG], Array(3).fill(LONG)].join('\n');
      const file = { name: `${LONG}.csv`, mimeType: 'text/csv', buffer: Buffer.from(cells) };
      await page.locator('[type=file]').setInputFiles(file);
      await page.locator('.buttons [type=submit]').click();
      await page.locator('#id_user_type').selectOption('company');
      await inspectPage(page);
      await page.locator('#id_origin').fill(LONG);
      await page.locator('.buttons [type=submit]').click();
      await expect(page.locator('.table')).toBeVisible({ timeout: 60_000 });
      await inspectPage(page);
    },
  );
}
