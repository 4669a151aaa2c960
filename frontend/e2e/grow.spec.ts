import { randomUUID } from 'node:crypto';

import type { Page } from '@playwright/test';

import { becomeAdmin, newAddress } from './accounts';
import { runInDjango, translate } from './django';
import { inspect } from './inspect';
import { linkIn, mailsAbout, mailTo } from './mailbox';
import { message } from './pages';
import { chooseLanguage, DATABASE, DESKTOP, expect, type Language, open, PHONE, SWEEP, test } from './site';

const OTHER = { en: 'cs', cs: 'en' } as const;

const COUNTED = {
  en: '1 person came aboard through your link.',
  cs: 'Na palubu přišel přes váš odkaz 1 člověk.',
};

/** Subscribe by the form at an address and confirm by the mail. Return the address and the link in the mail. */
async function join(
  page: Page,
  form: string,
  language: Language,
): Promise<{ address: string; link: string }> {
  const address = newAddress();
  await open(page, form);
  await page.getByRole('textbox', { name: /^E-?mail$/ }).fill(address);
  await page.locator('form button[type=submit]').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(message(language, 'newsletter.welcome'));
  const link = linkIn(await mailTo(address), 'confirm');
  await page.goto(link);
  await page.locator('main button').first().click();
  await expect(page.getByRole('status')).toHaveText(translate(language, 'Your subscription is confirmed.'));
  return { address, link };
}

async function choose(page: Page, interest: string, language: Language): Promise<void> {
  await page.getByLabel(interest).check();
  await page.getByRole('button', { name: translate(language, 'Save'), exact: true }).click();
  await expect(page.getByRole('status')).toHaveText(translate(language, 'Your choice is saved.'));
  await expect(page.getByLabel(interest)).toBeChecked();
}

/** Let the visitor's browser have a sheet that shares. Return a function that returns what was shared. */
async function offerSharing(page: Page): Promise<() => Promise<ShareData | undefined>> {
  await page.addInitScript(() => {
    const share = (shared: ShareData) =>
      Promise.resolve(Object.assign(navigator, { shared })).then(() => undefined);
    Object.assign(navigator, { share });
  });
  return () => page.evaluate(() => (navigator as Navigator & { shared?: ShareData }).shared);
}

/** Let a day pass for those who came by a link. One person brings a sticker. */
async function passDay(invitation: string): Promise<void> {
  await runInDjango(`
from datetime import timedelta
from django.db.models import F
from newsletter.invitations.models import Milestone
from newsletter.models import Subscription
Milestone.objects.get_or_create(threshold=1, name_en="A sticker", name_cs="Samolepka")
invited = Subscription.objects.filter(invitation__code="${new URL(invitation).searchParams.get('invitation')}")
invited.update(confirmed_at=F("confirmed_at") - timedelta(days=1))`);
}

// One after the other: two of them would add the milestone.
test.describe.configure({ mode: 'default' });

for (const [language, viewport, details] of [
  ['cs', PHONE, DATABASE],
  ['en', PHONE, SWEEP],
  ['en', DESKTOP, SWEEP],
  ['cs', DESKTOP, SWEEP],
] as const) {
  test.describe(`in ${language} at ${viewport.width} px`, () => {
    test.use({ viewport });

    test(
      'a reader brings a friend, and a manager writes to those who bring others',
      details,
      async ({ page, openBrowser, baseURL }) => {
        test.slow();
        page.setDefaultTimeout(15_000);
        const say = (text: string) => translate(language, text);
        const check = async (checked: Page) => {
          await inspect(checked, [viewport]);
          await checked.setViewportSize(viewport);
        };
        const id = randomUUID().slice(0, 8);
        const interest = { en: `Regattas ${id}`, cs: `Regaty ${id}` };

        await test.step('the manager adds an interest', async () => {
          await chooseLanguage(page, language, baseURL);
          await becomeAdmin(page);
          await page.goto('/admin/newsletter/interest/add/');
          await page.locator('#id_name_en').fill(interest.en);
          await page.locator('#id_name_cs').fill(interest.cs);
          await page.locator('[name=_save]').click();
          await expect(page.locator('.messagelist li')).toBeVisible();
        });

        const visitor = await openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] });
        const shared = await offerSharing(visitor);
        const invitation = visitor.getByLabel(say('Your link'));
        const reader = await test.step('a visitor confirms and chooses it', async () => {
          const joined = await join(visitor, `/newsletter?lang=${language}`, language);
          await choose(visitor, interest[language], language);
          await check(visitor);
          return joined;
        });

        const url = await test.step('and passes an invitation on', async () => {
          const value = await invitation.inputValue();
          expect(value).toMatch(/\/newsletter\?invitation=[0-9a-f]{32}$/);
          await visitor.getByRole('button', { name: say('Copy the link') }).click();
          await expect(visitor.locator('#invitation-result')).toHaveText(say('The link is copied.'));
          expect(await visitor.evaluate(() => navigator.clipboard.readText())).toBe(value);
          await visitor.getByRole('button', { name: say('Share the link') }).click();
          expect(await shared()).toEqual({ title: say('Join me on Sailing'), url: value });
          const mail = await visitor.locator('[href^="mailto:"]').getAttribute('href');
          expect(new URL(mail ?? '').searchParams.get('body')).toBe(value);
          return value;
        });

        await test.step('a friend comes by it, who reads another language', async () => {
          const friend = await openBrowser();
          await chooseLanguage(friend, OTHER[language], baseURL);
          await join(friend, url, OTHER[language]);
          await choose(friend, interest[OTHER[language]], OTHER[language]);
          const { cookies, origins } = await friend.context().storageState();
          expect(cookies.map(({ name }) => name)).toEqual(['django_language']);
          expect(origins).toEqual([]);
        });

        await test.step('who counts a day later, for something', async () => {
          const milestone = visitor.locator('.milestones li');
          await visitor.goto(reader.link);
          await expect(visitor.getByText(say('Know someone who sails? Send them your link.'))).toBeVisible();
          await passDay(url);
          await visitor.goto(reader.link);
          await expect(visitor.getByText(COUNTED[language])).toBeVisible();
          await expect(milestone).toContainText({ en: 'A sticker', cs: 'Samolepka' }[language]);
          await expect(milestone).toContainText(say('reached'));
        });

        await test.step('the manager sees who has early access', async () => {
          const rows = page.locator('#result_list tbody tr', { hasText: reader.address });
          await page.goto('/admin/invitations/inviter/');
          await expect(rows.locator('.field-people')).toHaveText(/^1\b/);
          await check(page);
        });

        await test.step('makes a segment of those with the interest who brought somebody', async () => {
          const total = page.locator('.reader-count strong');
          await page.goto('/admin/campaigns/segment/add/');
          await page.locator('#id_name').fill(id);
          await page.getByLabel(interest[language]).check();
          await expect(total).toHaveText('2');
          await page.locator('#id_min_invitations').fill('1');
          await expect(total).toHaveText('1');
          await check(page);
          await page.locator('[name=_save]').click();
          await page.locator('#result_list').getByRole('link', { name: id }).click();
          await page.getByRole('link', { name: say('All its subscribers') }).click();
          await expect(page.locator('#result_list tbody tr')).toHaveCount(1);
          await expect(page.locator('#result_list')).toContainText(reader.address);
        });

        await test.step('and writes to it', async () => {
          await page.goto('/admin/campaigns/campaign/add/');
          await page.locator('#id_name').fill(id);
          await page.locator(`#tab-${language}`).click();
          await page.locator(`#id_subject_${language}`).fill(`Regatta ${id}`);
          await page
            .locator(`#id_body_${language}`)
            .fill('# Ahoy\n\n[Invitation]({invitation_url}){.button}');
          await page.locator('#id_segment').selectOption(id);
          await expect(page.locator('.audience-total strong')).toHaveText('1');
          await expect(page.locator('.problem-error')).toHaveCount(0);
          await page.locator('[name=_send]').click();
          await expect(page.locator('.audience-total strong')).toHaveText('1');
          await page.locator('[name=send]').click();
          await expect(page.locator('.progress').first()).not.toHaveAttribute('data-running', /./, {
            timeout: 60_000,
          });
          await expect(page.locator('.figures dd').nth(1)).toHaveText(/^1/);
          const sent = await mailsAbout(id);
          expect(sent.map(({ to }) => to)).toMatchObject([[{ address: reader.address }]]);
          // Any of the servers sends it, with its own port.
          const { pathname, search } = new URL(url);
          expect(sent[0]?.text).toMatch(
            new RegExp(`Invitation \\(http://[\\d.:]+${pathname}\\${search}\\)\n`),
          );
          expect(sent[0]?.html).toContain(`${pathname}${search}"`);
        });
      },
    );
  });
}
