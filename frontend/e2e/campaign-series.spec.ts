import { randomUUID } from 'node:crypto';

import type { Page } from '@playwright/test';

import { becomeAdmin, callApi, newAddress } from './accounts';
import { runInDjango } from './django';
import { linkIn, linkTo, mailAbout, mailsTo } from './mailbox';
import { chooseLanguage, DATABASE, expect, type Language, LANGUAGES, PHONE, test } from './site';

const GREETINGS = { en: 'Hello', cs: 'Ahoj' };

/** Ask for the newsletter for companies. Return the address. */
async function subscribe(page: Page, language: Language, baseURL = ''): Promise<string> {
  const email = newAddress();
  await chooseLanguage(page, language, baseURL);
  await callApi(
    page.request,
    'mutation subscribe($input: SubscribeNewsletterInput!) { subscribeNewsletter(input: $input) { success } }',
    { variables: { input: { email, userType: 'company' } } },
  );
  return email;
}

/** Press the main button of the page of a link in a mail. */
async function press(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator('main button').first().click();
  await expect(page.getByRole('status')).toBeVisible();
}

interface Passing {
  unconfirmed: string;
  newcomer?: string;
  step: string;
}

/**
 * Let two days pass for the series, its readers and the reminder to `unconfirmed`, but not for `newcomer`. Then add those
 * who are due, as each sender does every ten seconds. Return who gets or has got `step`.
 */
function passDays({ unconfirmed, newcomer = '', step }: Passing): Promise<string> {
  return runInDjango(`
from datetime import timedelta
from django.db import transaction
from django.db.models import F
from newsletter.campaigns import series
from newsletter.campaigns.models import Campaign, Delivery
from newsletter.models import Subscription
from sailing.mail.models import OutboxEmail
def age(rows, *names):
    rows.update(**{name: F(name) - timedelta(days=2) for name in names})
steps = Campaign.objects.filter(delay_days__isnull=False)
deliveries = Delivery.objects.filter(campaign__in=steps)
readers = Subscription.objects.filter(user_type="company", confirmed_at__isnull=False)
with transaction.atomic():
    age(steps, "changed_at", "started_at")
    age(deliveries, "ended_at", "next_attempt_at")
    age(readers.exclude(email="${newcomer}"), "confirmed_at")
    age(OutboxEmail.objects.filter(recipient="${unconfirmed}", is_reminder=True), "next_attempt_at")
for pk in steps.filter(state="sending").values_list("pk", flat=True):
    series.add_due_readers(pk)
print(*deliveries.filter(campaign__name="${step}").values_list("subscription__email", flat=True))`);
}

test.use({ viewport: PHONE });

test(
  'new readers get the steps of a welcome series in order',
  DATABASE,
  async ({ page, openBrowser, baseURL }) => {
    test.slow();
    page.setDefaultTimeout(15_000);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const id = randomUUID().slice(0, 8);
    const [first, second] = [`1-${id}`, `2-${id}`];
    const row = (step: string) => page.locator('.series-steps tr', { hasText: step });
    const write = async (field: string, text: string, tab: Language = 'en') => {
      await page.locator(`#tab-${tab}`).click();
      await page.locator(`#id_${field}_${tab}`).fill(text);
    };
    const addStep = async (name: string, days: number) => {
      await page.locator('.series:has(#series-company) .head .button').click();
      await page.locator('#id_name').fill(name);
      await page.locator('#id_delay_days').fill(String(days));
      for (const tab of LANGUAGES) {
        await write('subject', `${GREETINGS[tab]} ${name}`, tab);
        await write('body', `# ${GREETINGS[tab]}`, tab);
      }
    };
    const turnOn = async () => {
      await page.locator('[name=_send]').click();
      await expect(page.locator('[aria-labelledby="mail-title"]')).toContainText(id);
      await button('Turn it on').click();
      await expect(page.locator('.messagelist')).toContainText('The step is on.');
    };

    await test.step('a manager writes the first step, corrects it and turns it on', async () => {
      await runInDjango(`
from newsletter.campaigns.models import Campaign
Campaign.objects.filter(delay_days__isnull=False).delete()`);
      await chooseLanguage(page, 'en', baseURL);
      await becomeAdmin(page);
      await page.goto('/admin/campaigns/campaign/');
      await page.getByRole('link', { name: 'Welcome series' }).click();
      await addStep(first, 0);
      await write('body', 'Ahoy {nickname}');
      await page.locator('[name=_send]').click();
      await expect(page.locator('.problem-error')).toContainText('{nickname}');
      await expect(button('Turn it on')).toHaveCount(0);
      await page.getByRole('link', { name: 'Fix the text' }).click();
      await write('body', `# ${GREETINGS.en}`);
      await turnOn();
    });

    await test.step('and a second one', async () => {
      await addStep(second, 1);
      await turnOn();
      for (const step of [first, second]) await expect(row(step).locator('.badge')).toHaveText('On');
    });

    const reader = await openBrowser();
    const staying = await subscribe(reader, 'en', baseURL);
    const leaving = await subscribe(reader, 'cs', baseURL);
    await test.step('two readers get the first step in their language', async () => {
      for (const address of [staying, leaving]) await press(reader, await linkTo(address, 'confirm'));
      await mailAbout(`${GREETINGS.en} ${first}`, staying);
      await press(reader, linkIn(await mailAbout(`${GREETINGS.cs} ${first}`, leaving), 'manage'));
    });

    await test.step('the manager edits it', async () => {
      await row(first).getByRole('link', { name: first }).click();
      await write('subject', `Edited ${first}`);
      await page.locator('[name=_save]').click();
      await expect(page.locator('.messagelist li')).toBeVisible();
    });

    const unconfirmed = await subscribe(reader, 'en', baseURL);
    const newcomer = await subscribe(reader, 'en', baseURL);
    await test.step('two days later the next step and the reminder are sent', async () => {
      await press(reader, await linkTo(newcomer, 'confirm'));
      await linkTo(unconfirmed, 'confirm');
      const readers = await passDays({ unconfirmed, newcomer, step: second });
      expect(readers).toContain(staying);
      expect(readers).not.toContain(leaving);
      await mailAbout(`${GREETINGS.en} ${second}`, staying);
      await mailAbout(`Edited ${first}`, newcomer);
      await mailAbout('A reminder: please confirm your subscription', unconfirmed);
    });

    await test.step('the figures tell what became of a step', async () => {
      await expect(async () => {
        await page.goto('/admin/campaigns/campaign/series/');
        await expect(row(first).locator('.number').first()).toHaveText('3', { timeout: 100 });
      }).toPass({ timeout: 60_000 });
      await row(first).locator('.number a').first().click();
      await expect(page.locator('.figures dd').nth(3), 'unsubscribed').toHaveText(/^\s*1\s/);
    });

    await test.step('the manager turns it off, and nobody gets more', async () => {
      await page.goto('/admin/campaigns/campaign/series/');
      for (const step of [first, second]) {
        await row(step).locator('summary').click();
        await row(step).getByRole('button', { name: 'Yes, turn it off' }).click();
        await expect(row(step).locator('.badge')).toHaveText('Off');
      }
      expect(await passDays({ unconfirmed, step: second })).not.toContain(newcomer);
    });

    await test.step('somebody who was reminded says that it was not them', async () => {
      const { text = '' } = await mailAbout('A reminder: please confirm your subscription', unconfirmed);
      const [, link = ''] = /This was not me:\s+(\S+)/.exec(text) ?? [];
      await press(reader, link);
      await expect(reader.getByRole('status')).toContainText('The request is deleted.');
      expect(await mailsTo(unconfirmed), 'the request and one reminder').toHaveLength(2);
      expect(await mailsTo(leaving), 'the request and the first step').toHaveLength(2);
    });
  },
);
