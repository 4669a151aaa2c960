import { readdirSync, readFileSync } from 'node:fs';

import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Page } from '@playwright/test';

import routeTable from '../routes.json' with { type: 'json' };
import { sampleEvents } from '../src/events/data/sampleEvents';
import { DESKTOP, visit } from './memberScreen';
import { message } from './pages';
import type { LANGUAGES } from './site';
import { expect, expectAlive, test } from './site';

type Language = (typeof LANGUAGES)[number];

const ROUTES = [...routeTable.routes, { ...routeTable.notFound, path: '/no-such-port' }];

/** Sample data, which is English by intent, where it stands beside Czech words in one label; and names. */
const SAMPLES = [
  ...sampleEvents('2026-01').map(({ title }) => title),
  'From Deckhand to Day Skipper',
  'Ready for the Regatta',
  'Chart, Compass, Course',
  'Your First Day Afloat',
  'Ionian Sail Company',
  'Riviera Yacht House',
];

/** Words that no Czech sentence has and hardly an English one does without. */
const TELLTALES = [
  'the',
  'and',
  'of',
  'for',
  'with',
  'your',
  'you',
  'our',
  'is',
  'are',
  'this',
  'that',
  'from',
];

/** The months and days of the week as English writes them. */
const DATES = Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day))).flatMap(
  (date) => [
    new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(date),
    new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(date),
  ],
);

/** What a message says around its placeholders, a piece for each stretch and each plural form. */
function pieces(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal) return [element.value];
    if (element.type === TYPE.tag) return pieces(element.children);
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return Object.values(element.options).flatMap(({ value }) => pieces(value));
    return [];
  });
}

/** All that the catalogues of a language say, without the spaces and marks at the ends. */
function said(language: Language): string[] {
  const folder = new URL(`../src/i18n/messages/${language}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const messages = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, string>;
      return Object.values(messages).flatMap((text) => pieces(parse(text)));
    })
    .map((piece) => onOneLine(piece).replaceAll(/^[\s\p{P}]+|[\s\p{P}]+$/gu, ''));
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** Whether a text has these words, not as parts of longer ones. */
function has(text: string, words: string): boolean {
  const literally = words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\p{L})${literally}(?!\\p{L})`, 'iu').test(text);
}

const czech = said('cs').join('\n');
const english = new Set([
  ...TELLTALES,
  ...DATES,
  // Shorter ones tell nothing: "to" and "on" are Czech too.
  ...said('en').filter((piece) => /\p{L}{4}/u.test(piece) && !has(czech, piece)),
]);

/** Everything that the page says to the eye and to a screen reader, but for what it says to be English. */
async function wordsOf(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const isEnglish = (element: Element | null) =>
      element?.closest('[lang]')?.getAttribute('lang') === 'en' ||
      element?.closest('script, style, noscript');
    const found = [
      document.title,
      document.querySelector('meta[name="description"]')?.getAttribute('content') ?? '',
    ];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      if (!isEnglish(nodes.currentNode.parentElement)) found.push(nodes.currentNode.textContent ?? '');
    }
    for (const name of [
      'aria-label',
      'aria-roledescription',
      'aria-description',
      'alt',
      'placeholder',
      'title',
    ]) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (!isEnglish(element)) found.push(element.getAttribute(name) ?? '');
      }
    }
    return found;
  });
  return (
    texts
      .map((text) => SAMPLES.reduce((rest, sample) => rest.replaceAll(sample, ''), onOneLine(text)))
      // The initials on an avatar are no word.
      .filter((text) => text.trim().length > 2)
  );
}

for (const { path, access, titleKey } of ROUTES.map((route) => ({ access: 'public', ...route }))) {
  test(`${path} has no English left in Czech`, async ({ page }) => {
    await visit(page, { path, language: 'cs', viewport: DESKTOP });
    await expect(page).toHaveTitle(message('cs', titleKey));
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(message('cs', 'memberWait.title'));
    if (access === 'member')
      await expect(page.getByRole('banner').getByRole('button', { name: 'Eva' })).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expectAlive(page.locator('main section').last().or(page.locator('main')).last());
    await page.waitForLoadState('networkidle');

    const words = await wordsOf(page);
    expect(words.length).toBeGreaterThan(20);
    const left = words
      .map((text) => [text, [...english].filter((piece) => has(text, piece))] as const)
      .filter(([, found]) => found.length > 0);
    expect(left).toEqual([]);
  });
}
