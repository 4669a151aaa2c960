import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Page } from '@playwright/test';

import { readMessages, readSampleTexts } from './pages';
import { expect, type Language } from './site';

/** Words that hardly any English sentence does without, and no Czech one has. */
const COMMON_WORDS = 'the and of for with your you our is are this that from'.split(' ');

const DATE_NAMES = new Intl.DateTimeFormat('en', { month: 'long', weekday: 'long', timeZone: 'UTC' });

/** The names of the months and the days of the week. */
const DATES = Array.from({ length: 366 }, (_, day) => DATE_NAMES.formatToParts(Date.UTC(2024, 0, 1 + day)))
  .flat()
  .filter(({ type }) => type !== 'literal')
  .map(({ value }) => value);

/** English names of companies, clubs and boats, which stay as they are, and the sample address of the operator. */
const NAMES = [
  '1 Harbor Street, 110 00 Prague, Czechia',
  'Blue Hour',
  'Ionian Sail Company',
  'Riviera Yacht House',
  'Island Racing Association',
  'Solent Navigation School',
  'Baltic Radio School',
  'Kiel Community Crew',
  'Bay of Palma Racing',
];

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** Return the literal text of a message: one string per stretch between placeholders and per plural form. */
function literals(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal) return [element.value];
    if (element.type === TYPE.tag) return literals(element.children);
    if (element.type === TYPE.plural)
      return Object.values(element.options).flatMap(({ value }) => literals(value));
    return [];
  });
}

/** Return all literal texts of a language, without spaces and punctuation at their ends, in lower case. */
function textsOf(language: Language): string[] {
  const texts = Object.values(readMessages(language)).flatMap((text) => literals(parse(text)));
  return [...texts, ...readSampleTexts(language)].map((text) =>
    onOneLine(text)
      .replaceAll(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')
      .toLowerCase(),
  );
}

/** Return whether a text contains a phrase as whole words, both in lower case. */
function contains(text: string, phrase: string): boolean {
  if (!text.includes(phrase)) return false; // faster than a pattern
  const escaped = phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\p{L})${escaped}(?!\\p{L})`, 'u').test(text);
}

let phrases: string[] | undefined;

/** Return what is English: the phrases of the English catalogue that the Czech one does not have, in lower case. */
function englishPhrases(): string[] {
  const czech = textsOf('cs').join('\n');
  // Short ones prove nothing: "to" and "on" are Czech too.
  const texts = textsOf('en').filter((text) => /\p{L}{4}/u.test(text) && !contains(czech, text));
  return [...new Set([...COMMON_WORDS, ...DATES.map((name) => name.toLowerCase()), ...texts])];
}

function findEnglish(text: string): string[] {
  phrases ??= englishPhrases();
  return phrases.filter((phrase) => contains(text, phrase));
}

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
  const left = texts
    .map((text) => NAMES.reduce((rest, name) => rest.replaceAll(name, ''), onOneLine(text)))
    .filter((text) => text.trim().length > 2) // initials are no words
    .map((text) => [text, ...findEnglish(text.toLowerCase())])
    .filter(({ length }) => length > 1);
  expect(texts.length).toBeGreaterThan(10);
  expect(left).toEqual([]);
}
