import { expect, test } from 'vitest';

import { problems } from './catalogue-problems.js';

/** The problems of one message, which is used. */
function problemsOf(en: string, cs: string) {
  return problems(
    { en: { page: { 'page.text': en } }, cs: { page: { 'page.text': cs } } },
    ['page.text'],
    new Map(),
  );
}

test('two catalogues that fit each other and the sources have no problems', () => {
  const catalogues = {
    en: { page: { 'page.title': 'Harbour', 'page.lead': 'Ahoy, {name}' }, foot: { 'foot.brand': 'Sailing' } },
    cs: { page: { 'page.title': 'Přístav', 'page.lead': 'Ahoj, {name}' }, foot: { 'foot.brand': 'Sailing' } },
  };
  const used = ['page.title', 'page.lead', 'foot.brand', 'page.title'];
  expect(problems(catalogues, used, new Map([['foot.brand', 'the brand']]))).toEqual([]);
});

test('both languages have the same messages', () => {
  const catalogues = { en: { page: { 'page.one': 'One' } }, cs: { page: { 'page.two': 'Dva' } } };
  expect(problems(catalogues, ['page.one'], new Map())).toEqual([
    'page.one is missing from cs',
    'page.two is missing from en',
  ]);
});

test('every message is used, and what is used is a message', () => {
  const catalogues = { en: { page: { 'page.one': 'One' } }, cs: { page: { 'page.one': 'Jedna' } } };
  expect(problems(catalogues, ['page.two'], new Map())).toEqual([
    'page.one is unused',
    'page.two is used, but does not exist',
  ]);
});

test('a message stands in the file of its group', () => {
  const catalogues = { en: { page: { 'foot.one': 'One' } }, cs: { page: { 'foot.one': 'Jedna' } } };
  expect(problems(catalogues, ['foot.one'], new Map())).toEqual([
    'foot.one belongs to another file than en/page.json',
    'foot.one belongs to another file than cs/page.json',
  ]);
});

test.each([
  [
    'Ahoy, {name',
    'Ahoj, {name}',
    /^page\.text cannot be parsed in en: SyntaxError: EXPECT_ARGUMENT_CLOSING_BRACE$/,
  ],
  ['<b>Ahoy</b>', '<b>Ahoj</i>', /^page\.text cannot be parsed in cs: SyntaxError: UNMATCHED_CLOSING_TAG$/],
  ['Ahoy', ' ', /^page\.text is empty in cs$/],
])('%j with %j is no pair of messages', (en, cs, problem) => {
  expect(problemsOf(en, cs)).toEqual([expect.stringMatching(problem)]);
});

test.each([
  [
    'Ahoy, {name}',
    'Ahoj, {jmeno}',
    ['{name} is a text in en, nothing in cs', '{jmeno} is nothing in en, a text in cs'],
  ],
  ['Ahoy, {name}', 'Ahoj', ['{name} is a text in en, nothing in cs']],
  ['At most {limit, number} m', 'Nejvýše {limit} m', ['{limit} is a number in en, a text in cs']],
  ['Since {day, date}', 'Od {day, time}', ['{day} is a date in en, a time in cs']],
  ['<b>Ahoy</b>', 'Ahoj', ['{b} is a tag in en, nothing in cs']],
  ['<b>Ahoy, {name}</b>', '<b>Ahoj</b>', ['{name} is a text in en, nothing in cs']],
  [
    '{who, select, sailor {Sailor} other {Guest}}',
    '{who, select, jachtar {Jachtař} other {Host}}',
    ['{who} is one of other, sailor in en, one of jachtar, other in cs'],
  ],
])('%j has other placeholders than %j', (en, cs, expected) => {
  expect(problemsOf(en, cs)).toEqual(expected.map((problem) => `page.text: ${problem}`));
});

const ENGLISH = '{n, plural, one {# boat} other {# boats}}';

test('a plural has one and other in English, one, few, many and other in Czech', () => {
  expect(problemsOf(ENGLISH, '{n, plural, one {# loď} few {# lodě} many {# lodi} other {# lodí}}')).toEqual(
    [],
  );
  expect(
    problemsOf(ENGLISH, '{n, plural, =0 {žádná loď} one {# loď} few {# lodě} many {# lodi} other {# lodí}}'),
  ).toEqual([]);
});

test.each([
  [
    ENGLISH,
    '{n, plural, one {# loď} other {# lodí}}',
    'cs needs the forms few, many, one, other, and has one, other',
  ],
  [
    '{n, plural, one {# boat} few {# boats} other {# boats}}',
    '{n, plural, one {# loď} few {# lodě} many {# lodi} other {# lodí}}',
    'en needs the forms one, other, and has few, one, other',
  ],
  [
    '<b>{n, plural, other {# boats}}</b>',
    '<b>{n, plural, one {# loď} few {# lodě} many {# lodi} other {# lodí}}</b>',
    'en needs the forms one, other, and has other',
  ],
])('%j with %j lacks a form, or has one that its language does not count by', (en, cs, problem) => {
  expect(problemsOf(en, cs)).toEqual([`page.text: {n} in ${problem}`]);
});

test('a plural of English is one in Czech too', () => {
  expect(problemsOf(ENGLISH, '{n, number} lodí')).toEqual([
    'page.text: {n} is a plural in en, but not in cs',
  ]);
});

test('no English is left in Czech', () => {
  expect(problemsOf('Harbour', 'Harbour')).toEqual(['page.text is still English in cs']);
});

test('the list of what reads the same in both languages holds nothing else', () => {
  const catalogues = { en: { page: { 'page.text': 'Harbour' } }, cs: { page: { 'page.text': 'Přístav' } } };
  expect(problems(catalogues, ['page.text'], new Map([['page.text', 'a name']]))).toEqual([
    'page.text is listed as the same in both languages, but is not',
  ]);
});

test('a picture has one text, wherever it stands', () => {
  const catalogues = {
    en: { page: { 'page.picture': 'A cleat', 'page.endPicture': 'A cleat', 'page.text': 'A cleat' } },
    cs: { page: { 'page.picture': 'Rohatina', 'page.endPicture': 'Vazák', 'page.text': 'Úvaz' } },
  };
  expect(problems(catalogues, Object.keys(catalogues.en.page), new Map())).toEqual([
    'page.endPicture is the picture of page.picture, but not so in cs',
  ]);
});

test.each(['Přístav - Vítejte', 'Loď "Albatros"', 'Odesíláme...'])('%j is not set as Czech is', (cs) => {
  expect(problemsOf('Harbour', cs)).toEqual([
    'page.text in cs has a hyphen for –, straight quotes for „“, or dots for …',
  ]);
});

test.each(['Přístav – Vítejte', 'Loď „Albatros“', 'Odesíláme…', 'Česko-polská regata'])('%j is', (cs) => {
  expect(problemsOf('Harbour', cs)).toEqual([]);
});
