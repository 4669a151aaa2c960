import { randomInt } from 'node:crypto';

import type { BrowserContext, ElementHandle, Page } from '@playwright/test';

import { becomeMember, newAccount, PASSWORD, signInToAdmin } from './accounts';
import { runInDjango } from './django';
import { HELP_PATHS, message, readMessages, ROUTES } from './pages';
import { DESKTOP, expect, LANGUAGES, PHONE, test } from './site';

/**
 * Use the site at random, as no journey does. Each test is one seed and takes about a minute. A failure names its seed
 * and its last actions; the same seed does the same again, as far as the site answers in the same order.
 *
 * Only `DURATION` (minutes) runs it: `DURATION=60 SEED=1 scripts/e2e random-use`. Every third seed also has a manager
 * in Django admin.
 */
const MINUTES = Number(process.env.DURATION ?? 1);
const FIRST_SEED = Number(process.env.SEED ?? randomInt(1_000_000));
const ACTIONS = 100;

/** How long the site may take to come to rest, on a machine that does other work too. */
const REST = { timeout: 30_000 };

const OTHER_PATHS = [
  '/newsletter/issues/',
  '/newsletter/confirm/unknown',
  '/newsletter/manage/unknown',
  '/account/verify/unknown',
  '/account/reset/unknown',
  '/events?month=9999-12&type=race',
  '/marketplace?search=%00&sort=none&from=2020-02-31&minPrice=-1',
  '/signin?next=//example.org',
];
const PATHS = [...ROUTES.map(({ path }) => path), ...HELP_PATHS, ...OTHER_PATHS];

/** From these, links lead to all other pages of Django admin. */
const ADMIN_PATHS = [
  '/admin/',
  '/admin/accounts/user/',
  '/admin/campaigns/campaign/',
  '/admin/campaigns/campaign/add/',
  '/admin/imports/importbatch/import/',
  '/admin/newsletter/subscription/',
];

const TEXTS = [
  PASSWORD,
  'Anna',
  'שלום 12 مرحبا',
  '👩‍👩‍👧‍👦 🏴‍☠️ ⛵',
  'x'.repeat(3000),
  'Žluťoučký kůň '.repeat(20),
  '<img src=x onerror=alert(1)><b>bold</b>',
  `"'&lt;\\%s`,
  '   ',
  '-1',
  '99999999999999',
  '\u202Egnp.exe',
  'a@b',
  `${'a'.repeat(64)}@example.org`,
];

const KEYS = [
  'Tab',
  'Shift+Tab',
  'Enter',
  'Space',
  'Escape',
  'ArrowDown',
  'ArrowRight',
  'Home',
  'End',
  'PageDown',
];

const CLICKABLE =
  'a[href], button, summary, label, [type=checkbox], [type=radio], [type=submit], article, td';
const FIELDS =
  'input:not([type=hidden], [type=checkbox], [type=radio], [type=submit], [type=button]), textarea, select';

const MESSAGE_IDS = new Set(Object.keys(readMessages('en')));

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

function pick<Item>(items: readonly Item[], fraction: number): Item {
  return items[Math.floor(fraction * items.length)] as Item;
}

/** A window of one person. */
interface Person {
  name: 'visitor' | 'member' | 'manager';
  email: string;
  context: BrowserContext;
  /** The step at which the network comes back; all before it fail. */
  offlineUntil: number;
}

/** What an action may draw on. */
interface Turn {
  page: Page;
  person: Person;
  random: () => number;
  step: number;
  /** Whether all of the person's requests fail. */
  isOffline: boolean;
}

/** An action; returns what it did. */
type Action = (turn: Turn) => Promise<string>;

/** Find a visible element: in the dialog or menu that is open, or else anywhere but most often in the main part. */
async function findElement(page: Page, selector: string, random: () => number) {
  const found = await page.evaluateHandle(
    ([wanted, where, which]) => {
      const parts = [...document.querySelectorAll(':modal, :popover-open')].reverse();
      for (const part of [...parts, document.querySelector(where < 0.7 ? 'main' : 'body'), document.body]) {
        const elements = [...(part?.querySelectorAll<HTMLElement>(wanted) ?? [])].filter(
          (element) =>
            element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
            !element.closest('[inert]') &&
            !element.matches(':disabled') &&
            (!(element instanceof HTMLAnchorElement) || element.origin === location.origin),
        );
        if (elements.length > 0) return elements[Math.floor(which * elements.length)];
      }
      return undefined;
    },
    [selector, random(), random()] as const,
  );
  return found.asElement();
}

const describeElement = (element: ElementHandle<HTMLElement>) =>
  element.evaluate((node) => {
    const label = node.getAttribute('aria-label') ?? node.getAttribute('name') ?? node.innerText;
    return `${node.localName} “${label.trim().replaceAll(/\s+/g, ' ').slice(0, 50)}”`;
  });

const click: Action = async (turn) => {
  const { page, random } = turn;
  const element = await findElement(page, CLICKABLE, random);
  if (!element) return visit(turn);
  const described = await describeElement(element);
  const clickCount = random() < 0.1 ? 2 : 1;
  await element.click({ clickCount, timeout: 3000 });
  return `clicked ${described}${clickCount > 1 ? ' twice' : ''}`;
};

/** Fill in a field, and often more of them. */
const type: Action = async (turn) => {
  const { page, random } = turn;
  const typed: string[] = [];
  do {
    const element = await findElement(page, FIELDS, random);
    if (!element) return click(turn);
    typed.push(await fillIn(element, turn));
  } while (random() < 0.7);
  if (random() < 0.4) {
    await page.keyboard.press('Enter');
    typed.push('pressed Enter');
  }
  return typed.join(', ');
};

async function fillIn(element: ElementHandle<HTMLElement>, { page, random, step }: Turn): Promise<string> {
  const described = await describeElement(element);
  const { kind, count } = await element.evaluate((field) => ({
    kind: (field as HTMLInputElement).type,
    count: field instanceof HTMLSelectElement ? field.options.length : 0,
  }));
  if (count > 0) {
    const index = Math.floor(random() * count);
    await element.selectOption({ index }, { timeout: 3000 });
    return `chose option ${index} of ${described}`;
  }
  if (kind === 'file') {
    const buffer = Buffer.from(`email,first name\n${newAccount().email},${pick(TEXTS, random())}\n`);
    await element.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
    return `chose a file for ${described}`;
  }
  await element.focus();
  if (random() < 0.6) await page.keyboard.press('ControlOrMeta+A');
  if (/date|time|month|number/.test(kind)) {
    const digits = String(Math.floor(random() * 1e8));
    await page.keyboard.type(digits);
    return `typed ${digits} into ${described}`;
  }
  const isValid = random() < 0.6;
  const valid = { email: `${step}-${newAccount().email}`, password: PASSWORD }[kind] ?? 'Eva';
  const text = isValid ? valid : pick(TEXTS, random());
  await page.keyboard.insertText(text);
  return `typed ${text.slice(0, 30)} into ${described}`;
}

const press: Action = async ({ page, random }) => {
  const key = pick(KEYS, random());
  await page.keyboard.press(key);
  return `pressed ${key}`;
};

const scroll: Action = async ({ page, random }) => {
  const distance = Math.round((random() - 0.3) * 3000);
  await page.mouse.wheel(0, distance);
  return `scrolled by ${distance}`;
};

const visit: Action = async ({ page, person, random }) => {
  const path = pick(person.name === 'manager' && random() < 0.8 ? ADMIN_PATHS : PATHS, random());
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  return `opened ${path}`;
};

const goBack: Action = async ({ page }) => {
  await page.goBack({ waitUntil: 'commit' });
  return 'went back';
};

const goForward: Action = async ({ page }) => {
  await page.goForward({ waitUntil: 'commit' });
  return 'went forward';
};

const reload: Action = async ({ page }) => {
  await page.reload({ waitUntil: 'commit' });
  return 'reloaded';
};

const switchLanguage: Action = async ({ page }) => {
  const link = page.locator('a[hreflang]:visible').first();
  if ((await link.count()) === 0) return 'found no other language';
  await link.click({ timeout: 3000 });
  return 'switched the language';
};

const loseNetwork: Action = async ({ person, random, step }) => {
  person.offlineUntil = step + 4 + Math.floor(random() * 16);
  await person.context.setOffline(true);
  return 'lost the network';
};

const toggleTab: Action = async ({ page, person: { context }, random }) => {
  const [, second] = context.pages();
  if (second) {
    await page.close();
    return 'closed a tab';
  }
  const tab = await context.newPage();
  const path = pick(PATHS, random());
  await tab.goto(path, { waitUntil: 'commit' });
  return `opened ${path} in a second tab`;
};

/** Close the open dialog with Escape, which the visitor may have to press again after what is pending. */
const closeDialog: Action = async ({ page, isOffline }) => {
  const dialogs = page.locator(':modal');
  const before = await dialogs.count();
  if (before === 0 || isOffline) return 'had no dialog to close';
  await expect(async () => {
    await page.keyboard.press('Escape');
    expect(await dialogs.count(), 'an open dialog that cannot be closed').toBeLessThan(before);
  }).toPass(REST);
  return 'closed a dialog';
};

/** Sign out, or in again. */
const changeSession: Action = async ({ page, person }) => {
  if (person.name !== 'member') return 'stayed as they were';
  for (const language of LANGUAGES) {
    const button = page.getByText(message(language, 'memberBar.signOut'), { exact: true }).first();
    if ((await button.count()) === 0) continue;
    await button.evaluate((element) => (element as HTMLElement).click()); // its menu may be closed
    return 'signed out';
  }
  await page.goto('/signin', { waitUntil: 'domcontentloaded' });
  await page.locator('main [type=email]').fill(person.email, { timeout: 3000 });
  await page.locator('main [type=password]').fill(PASSWORD, { timeout: 3000 });
  await page.locator('main [type=password]').press('Enter');
  return 'signed in';
};

const resize: Action = async ({ page, random }) => {
  const size = random() < 0.5 ? PHONE : DESKTOP;
  await page.setViewportSize(size);
  return `made the window ${size.width} px wide`;
};

/** Each with how often it is done. */
const ACTION_WEIGHTS: [Action, number][] = [
  [click, 45],
  [type, 16],
  [press, 8],
  [scroll, 4],
  [visit, 6],
  [goBack, 5],
  [goForward, 2],
  [reload, 2],
  [switchLanguage, 3],
  [loseNetwork, 2],
  [toggleTab, 2],
  [closeDialog, 4],
  [changeSession, 2],
  [resize, 2],
];
const ALL_ACTIONS = ACTION_WEIGHTS.flatMap(([action, weight]) => Array<Action>(weight).fill(action));

/** Runs in the page: what is wrong with it or still under way, and the words of it that may be ids of messages. */
function inspectPage() {
  const faults: string[] = [];
  const ids: string[] = [];
  if (document.contentType !== 'text/html') return { faults, ids };
  const { activeElement, body, documentElement } = document;
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const describe = (element: Element) => element.outerHTML.slice(0, 150);

  if (!(document.querySelector('main') ?? body).innerText.trim()) faults.push('blank page');
  const busy = '[aria-busy=true], [data-navigation-progress], svg:has(> path[d="M12 3a9 9 0 0 1 9 9"])';
  for (const element of document.querySelectorAll(busy))
    if (isShown(element)) faults.push(`busy: ${describe(element)}`);
  if (documentElement.scrollWidth > documentElement.clientWidth) {
    const widest = [...body.querySelectorAll('*')].find(
      (element) => element.getBoundingClientRect().right > documentElement.clientWidth + 1,
    );
    faults.push(`horizontal overflow at ${innerWidth} px: ${widest ? describe(widest) : ''}`);
  }
  const modal = [...document.querySelectorAll(':modal')].at(-1);
  const isOutside = modal && activeElement !== body && !modal.contains(activeElement);
  if (activeElement && (isOutside || activeElement.closest('[inert]')))
    faults.push(`focus in an inert part: ${describe(activeElement)}`);

  const placeholder = location.pathname.startsWith('/admin/') // which explains the {fields} of mails
    ? /.{0,30}(?:%\(\w+\)[sd]|\[object |\bundefined\b|\bNaN\b|Invalid Date).{0,30}/
    : /.{0,30}(?:\{\w+\}|%\(\w+\)[sd]|\[object |\bundefined\b|\bNaN\b|Invalid Date).{0,30}/;
  const attributes = ['aria-label', 'alt', 'title', 'placeholder'];
  const texts = [document.title, body.innerText].concat(
    attributes.flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ''),
    ),
  );
  for (const text of texts) {
    ids.push(...(text.match(/\b[a-z]\w*(?:\.\w+)+/gi) ?? []));
    const [found] = placeholder.exec(text) ?? [];
    if (found) faults.push(`unfilled text: ${found}`);
  }
  return { faults, ids };
}

/** Return what is wrong with a page now. */
async function findFaults(page: Page): Promise<string[]> {
  // Before the first page, or the browser's own error page after the network was lost.
  if (await page.evaluate(() => !location.protocol.startsWith('http'))) await page.goto('/');
  const { faults, ids } = await page.evaluate(inspectPage);
  return [...faults, ...ids.filter((id) => MESSAGE_IDS.has(id)).map((id) => `message id: ${id}`)];
}

/** Expect that a page comes to rest without a fault. */
async function expectRest(page: Page): Promise<void> {
  await expect.poll(() => findFaults(page).catch((error: unknown) => [String(error)]), REST).toEqual([]);
}

/** Collect server errors, unexpected GraphQL errors and script dialogs; `problems` has what the console says. */
function watch(context: BrowserContext, problems: string[]): void {
  context.on('response', async (response) => {
    const address = `${response.request().method()} ${response.url()}`;
    if (response.status() >= 500) problems.push(`${response.status()} for ${address}`);
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
  test(`seed ${seed}`, async ({ openBrowser, problems }) => {
    test.setTimeout(20 * 60_000);
    const random = createRandom(seed);
    const names: Person['name'][] = ['visitor', 'member'];
    if (seed % 3 === 0) names.push('manager');
    const people: Person[] = [];
    for (const [index, name] of names.entries()) {
      const page = await openBrowser({
        viewport: (seed + index) % 2 ? PHONE : DESKTOP,
        reducedMotion: seed % 4 ? 'reduce' : 'no-preference',
      });
      const person = { name, email: '', context: page.context(), offlineUntil: -Infinity };
      watch(person.context, problems);
      if (name === 'member') person.email = (await becomeMember(page)).account.email;
      if (name === 'manager') {
        const { email } = newAccount(); // whatever happens to it, others can go on
        await runInDjango(
          `from accounts.models import User; User.objects.create_superuser("${email}", "${PASSWORD}")`,
        );
        await signInToAdmin(page, { email, password: PASSWORD });
      } else await page.goto(pick(PATHS, random()));
      people.push(person);
    }

    const log: string[] = [];
    try {
      for (let step = 1; step <= ACTIONS; step += 1) {
        await act(people, seed, step, log);
        const isNetworkLost = people.some(({ offlineUntil }) => offlineUntil > step - 5); // errors may come late
        expect(
          problems.splice(0).filter((problem) => !isNetworkLost || !NETWORK_ERROR.test(problem)),
        ).toEqual([]);
      }
      for (const { context } of people) {
        await context.setOffline(false);
        for (const page of context.pages()) await expectRest(page);
      }
    } catch (error) {
      throw new Error(`SEED=${seed}: ${String(error)}\n${log.slice(-15).join('\n')}`, { cause: error });
    }
  });
}

/** Do the action of one step, which depends on nothing but the seed and what is in the window. */
async function act(people: Person[], seed: number, step: number, log: string[]): Promise<void> {
  for (const { name, context, offlineUntil } of people) {
    if (offlineUntil !== step) continue;
    await context.setOffline(false);
    log.push(`${step} ${name}: the network is back`);
  }
  const random = createRandom(seed * ACTIONS + step);
  const person = pick(people, random());
  const { context } = person;
  const page = pick(context.pages(), random());
  const action = pick(ALL_ACTIONS, random());
  const before = `${step} ${person.name} ${page.url()}:`;
  try {
    const isOffline = person.offlineUntil > step;
    log.push(`${before} ${await action({ page, person, random, step, isOffline })}`);
  } catch (error) {
    if (action === closeDialog) throw error;
    const [line = ''] = String(error).split('\n'); // covered, removed, or offline
    log.push(`${before} ${action.name} was not possible: ${line}`);
  }
  if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, random() * 500));
  if (person.offlineUntil > step) return;
  for (const tab of context.pages()) await expectRest(tab);
}
