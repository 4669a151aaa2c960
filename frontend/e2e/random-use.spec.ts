import { randomInt } from 'node:crypto';

import type { BrowserContext, Locator, Page } from '@playwright/test';

import { becomeMember, newAccount, PASSWORD, signInToAdmin } from './accounts';
import { runInDjango } from './django';
import { OVERLAY } from './inspect';
import { HELP_PATHS, ROUTES } from './pages';
import { DESKTOP, expect, PHONE, test } from './site';

/**
 * Use the site at random, as no journey does. Each test is one seed and takes about a minute. A failure names its seed
 * and its last actions; the same seed does the same again, as far as the site answers in the same order.
 *
 * Only `DURATION` (minutes) runs it: `DURATION=60 SEED=1 scripts/e2e random-use`. Every third seed is a manager in Django
 * admin, the others a member and a visitor.
 */
const MINUTES = Number(process.env.DURATION ?? 1);
const FIRST_SEED = Number(process.env.SEED ?? randomInt(1_000_000));
const ACTIONS = 100;

const PEOPLE = ['manager', 'member', 'visitor'] as const;

/** How long the site may take to come to rest, on a machine that does other work too. */
const REST = { timeout: 30_000 };

const PATHS = [
  ...ROUTES.map(({ path }) => path),
  ...HELP_PATHS,
  '/newsletter/issues/',
  '/newsletter/confirm/unknown',
  '/account/reset/unknown',
  '/events?month=9999-12&type=race',
  '/marketplace?search=%00&sort=none&from=2020-02-31&minPrice=-1',
];

/** From these, links lead to all other pages of Django admin. */
const ADMIN_PATHS = [
  '/admin/',
  '/admin/accounts/user/',
  '/admin/campaigns/campaign/add/',
  '/admin/imports/importbatch/import/',
  '/admin/newsletter/subscription/',
];

const TEXTS = [
  PASSWORD,
  'Eva',
  'שלום 12 مرحبا',
  '👩‍👩‍👧‍👦 🏴‍☠️ ⛵',
  'x'.repeat(3000),
  'Žluťoučký kůň '.repeat(20),
  '<img src=x onerror=alert(1)><b>bold</b>',
  `"'&lt;\\%s`,
  '   ',
  '99999999999999',
  '\u202Egnp.exe',
];

const KEYS = ['Tab', 'Shift+Tab', 'Enter', 'Space', 'Escape', 'ArrowDown', 'ArrowRight', 'End', 'PageDown'];

const CLICKABLE = 'a:is([href^="/"], [href^="?"], [href^="#"]), button, summary, label, [type], article, td';
const FIELDS = 'input:not([type=checkbox], [type=radio], [type=submit], [type=button]), textarea, select';

/** What a lost network makes a page log. */
const NETWORK_ERROR = /ChunkLoadError|Failed to fetch|ERR_INTERNET_DISCONNECTED|Load failed/;

/** Return numbers from 0 to 1 that a seed determines (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What an action may draw on. */
interface Turn {
  page: Page;
  paths: string[];
  /** What was done, for the message of a failure. */
  log: string[];
  random: () => number;
  pick: <Item>(items: readonly Item[]) => Item;
}

/** Find a visible element: in the dialog or menu that is open, or else anywhere but most often in the main part. */
async function findElement({ page, random, log }: Turn, selector: string): Promise<Locator> {
  const overlays = page.locator(OVERLAY);
  const part =
    (await overlays.count()) > 0 ? overlays.last() : page.locator(random() < 0.7 ? 'main' : 'body');
  const elements = part.locator(selector).filter({ visible: true });
  const element = elements.nth(Math.floor(random() * (await elements.count())));
  log.push(await element.evaluate(({ outerHTML }) => outerHTML.slice(0, 80)));
  return element;
}

async function click(turn: Turn): Promise<void> {
  const element = await findElement(turn, CLICKABLE);
  await element.click({ clickCount: turn.random() < 0.1 ? 2 : 1 });
}

/** Fill in a field, and often more of them. */
async function fillIn(turn: Turn): Promise<void> {
  const { page, random, pick } = turn;
  do {
    const element = await findElement(turn, FIELDS);
    const type = await element.evaluate((field) => (field as HTMLInputElement).type);
    if (type === 'select-one') {
      await element.selectOption({ index: Math.floor(random() * (await element.locator('option').count())) });
    } else if (type === 'file') {
      const buffer = Buffer.from(`email,first name\n${newAccount().email},${pick(TEXTS)}\n`);
      await element.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
    } else {
      await element.focus();
      await page.keyboard.press('ControlOrMeta+A');
      const valid = { email: newAccount().email, password: PASSWORD }[type] ?? pick(TEXTS);
      if (/date|time|month|number/.test(type)) await page.keyboard.type(String(Math.floor(random() * 1e8)));
      else await page.keyboard.insertText(random() < 0.6 ? valid : pick(TEXTS));
    }
  } while (random() < 0.7);
  if (random() < 0.4) await page.keyboard.press('Enter');
}

/** Close the open dialog with Escape, which the visitor may have to press again after what is pending. */
async function closeDialog({ page }: Turn): Promise<void> {
  const dialogs = page.locator(':modal');
  const before = await dialogs.count();
  if (before === 0) return;
  await expect(async () => {
    await page.keyboard.press('Escape');
    expect(await dialogs.count(), 'an open dialog that cannot be closed').toBeLessThan(before);
  }).toPass(REST);
}

const visit = ({ page, paths, pick }: Turn) => page.goto(pick(paths), { waitUntil: 'domcontentloaded' });

/** Each with how often it is done. */
const ACTION_WEIGHTS: Record<string, [number, (turn: Turn) => Promise<unknown>]> = {
  click: [45, click],
  fillIn: [16, fillIn],
  press: [8, ({ page, pick }) => page.keyboard.press(pick(KEYS))],
  scroll: [4, ({ page, random }) => page.mouse.wheel(0, Math.round((random() - 0.3) * 3000))],
  visit: [6, visit],
  goBack: [5, ({ page }) => page.goBack({ waitUntil: 'commit' })],
  goForward: [2, ({ page }) => page.goForward({ waitUntil: 'commit' })],
  reload: [2, ({ page }) => page.reload({ waitUntil: 'commit' })],
  switchLanguage: [3, ({ page }) => page.locator('a[hreflang]:visible').first().click()],
  loseNetwork: [3, ({ page }) => page.context().setOffline(true)],
  findNetwork: [6, ({ page }) => page.context().setOffline(false)],
  openTab: [1, async (turn) => visit({ ...turn, page: await turn.page.context().newPage() })],
  closeDialog: [4, closeDialog],
  resize: [2, ({ page, pick }) => page.setViewportSize(pick([PHONE, DESKTOP]))],
};
const ALL_ACTIONS = Object.entries(ACTION_WEIGHTS).flatMap(([name, [weight]]) =>
  Array<string>(weight).fill(name),
);

/** Runs in the page: what is wrong with it or still under way. */
function findFaults(): string[] {
  const faults: string[] = [];
  if (document.contentType !== 'text/html' || !location.protocol.startsWith('http')) return faults;
  const { activeElement, body, documentElement } = document;
  const describe = (element: Element) => element.outerHTML.slice(0, 150);

  if (!(document.querySelector('main') ?? body).innerText.trim()) faults.push('blank page');
  const busy = '[aria-busy=true], [data-navigation-progress], svg:has(> path[d="M12 3a9 9 0 0 1 9 9"])';
  for (const element of document.querySelectorAll(busy))
    if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      faults.push(`busy: ${describe(element)}`);
  if (documentElement.scrollWidth > documentElement.clientWidth)
    faults.push(`horizontal overflow at ${innerWidth} px`);
  const modal = [...document.querySelectorAll(':modal')].at(-1);
  const isOutside = modal && activeElement !== body && !modal.contains(activeElement);
  if (activeElement && (isOutside || activeElement.closest('[inert]')))
    faults.push(`focus in an inert part: ${describe(activeElement)}`);
  const unfilled = /.{0,30}(?:%\(\w+\)[sd]|\[object |\bundefined\b|\bNaN\b|Invalid Date).{0,30}/;
  const [found] = unfilled.exec(`${document.title} ${body.innerText}`) ?? [];
  if (found) faults.push(`unfilled text: ${found}`);
  return faults;
}

/** Expect that each tab comes to rest without a fault. */
async function expectRest(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const find = () => page.evaluate(findFaults).catch((error: unknown) => [String(error)]);
    await expect.poll(find, REST).toEqual([]);
  }
}

/** Collect server errors and script dialogs; `problems` has what the console says. */
function watch(context: BrowserContext, problems: string[]): void {
  context.on('response', async (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} for ${response.url()}`);
    if (!response.url().endsWith('/graphql')) return;
    const text = await response.text().catch(() => ''); // the page has gone on
    if (text.includes('"INTERNAL"')) problems.push(text);
  });
  context.on('dialog', async (dialog) => {
    if (dialog.type() === 'alert') problems.push(`alert: ${dialog.message()}`);
    await dialog.accept();
  });
}

for (let seed = FIRST_SEED; seed < FIRST_SEED + MINUTES; seed += 1) {
  const person = PEOPLE[seed % PEOPLE.length] ?? 'visitor';

  test(`seed ${seed}, a ${person}`, async ({ page, context, problems }) => {
    test.setTimeout(20 * 60_000);
    watch(context, problems);
    if (person === 'member') await becomeMember(page);
    if (person === 'manager') {
      const { email } = newAccount(); // whatever happens to it, others can go on
      await runInDjango(
        `from accounts.models import User; User.objects.create_superuser("${email}", "${PASSWORD}")`,
      );
      await signInToAdmin(page, { email, password: PASSWORD });
    }
    context.setDefaultTimeout(3000);
    context.setDefaultNavigationTimeout(30_000);
    await page.goto('/');
    const random = createRandom(seed);
    const pick: Turn['pick'] = (items) =>
      items[Math.floor(random() * items.length)] as (typeof items)[number];
    const paths = person === 'manager' ? ADMIN_PATHS : PATHS;
    const log: string[] = [];
    let lastOffline = -Infinity;
    try {
      for (let step = 1; step <= ACTIONS; step += 1) {
        const name = pick(ALL_ACTIONS);
        const tab = pick(context.pages());
        log.push(`${step} ${tab.url()}: ${name}`);
        // What is covered, removed or offline cannot be used.
        const act = ACTION_WEIGHTS[name]?.[1] ?? visit;
        await act({ page: tab, paths, log, random, pick }).catch((error: unknown) => {
          if (act === closeDialog) throw error;
          log.push(String(error).split('\n')[0] ?? '');
        });
        if (await tab.evaluate(() => !navigator.onLine).catch(() => true)) lastOffline = step;
        if (lastOffline < step) await expectRest(context);
        const isNetworkLost = lastOffline > step - 5; // errors may come late
        const found = problems.splice(0);
        expect(found.filter((problem) => !isNetworkLost || !NETWORK_ERROR.test(problem))).toEqual([]);
      }
      await context.setOffline(false);
      await expectRest(context);
    } catch (error) {
      throw new Error(`SEED=${seed}: ${String(error)}\n${log.slice(-30).join('\n')}`, { cause: error });
    }
  });
}
