import type { Page } from '@playwright/test';

import { MESSAGES } from './pages';
import { expect } from './site';

/** Words that hardly any English sentence does without, and no Czech one has. */
const COMMON_WORDS = 'the and of for with your you our is are this that from'.split(' ');

const DATE_NAMES = new Intl.DateTimeFormat('en', { month: 'long', weekday: 'long', timeZone: 'UTC' });

/** The names of the months and the days of the week. */
const DATES = Array.from({ length: 366 }, (_, day) => DATE_NAMES.formatToParts(Date.UTC(2024, 0, 1 + day)))
  .flat()
  .filter(({ type }) => type !== 'literal')
  .map(({ value }) => value);

/** English names, which stay as they are. */
const NAMES = /Bay of Palma|Sound of Mull/g;

const ENGLISH = new RegExp(
  `(?<!\\p{L})(${[...new Set([...COMMON_WORDS, ...DATES])].join('|')})(?!\\p{L})`,
  'iu',
);

const CZECH = new Set(Object.values(MESSAGES.cs));
/** What is English as a whole, such as the label of a button. */
const ENGLISH_TEXTS = new Set(Object.values(MESSAGES.en).filter((text) => !CZECH.has(text)));

/** Return what a Czech page shows and what it tells a screen reader, except where it says `lang="en"`. */
function readPage(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isSkipped = (element: Element | null) =>
      element?.closest('[lang]')?.getAttribute('lang') === 'en' ||
      element?.closest('script, style, noscript');
    const texts = [
      document.title,
      document.querySelector('meta[name="description"]')?.getAttribute('content') ?? '',
    ];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      if (!isSkipped(nodes.currentNode.parentElement)) texts.push(nodes.currentNode.textContent ?? '');
    }
    const names = ['aria-label', 'aria-roledescription', 'aria-description', 'alt', 'placeholder', 'title'];
    for (const name of names) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (!isSkipped(element)) texts.push(element.getAttribute(name) ?? '');
      }
    }
    return texts;
  });
}

/** Expect that a Czech page has no English left, except names and where it says `lang="en"`. */
export async function expectNoEnglish(page: Page): Promise<void> {
  const texts = await readPage(page);
  expect(texts.length).toBeGreaterThan(10);
  const words = texts.filter((text) => text.trim().length > 2); // initials are no words
  const isEnglish = (text: string) =>
    ENGLISH_TEXTS.has(text.trim()) || ENGLISH.test(text.replaceAll(NAMES, ''));
  expect(words.filter(isEnglish)).toEqual([]);
}
