import { expect, test } from 'vitest';

import { problems } from './catalogue-problems.js';

/** Return the problems of one message, which is used. */
function problemsOf(en: string, cs: string) {
  return problems({ en: { 'page.text': en }, cs: { 'page.text': cs } }, `'page.text'`, new Map());
}

test('matching catalogues have no problems', () => {
  const brand: Record<string, string> = { 'footer.brand': 'Sailing' };
  const catalogues = {
    en: { 'page.title': 'Harbour', 'page.lead': 'Ahoy, {name}', ...brand },
    cs: { 'page.title': 'Přístav', 'page.lead': 'Ahoj, {name}', ...brand },
  };
  const source = `<h1 title="page.title">{formatMessage({ id: 'page.lead' })}'footer.brand'</h1>`;
  expect(problems(catalogues, source, new Map([['footer.brand', 'the brand']]))).toEqual([]);
});

test('both languages have the same messages', () => {
  const catalogues = { en: { 'page.one': 'One' }, cs: { 'page.two': 'Dva' } };
  expect(problems(catalogues, `'page.one'`, new Map())).toEqual([
    'page.one is missing from cs',
    'page.two is missing from en',
  ]);
});

test('a message whose id does not stand in quotes in the code is unused', () => {
  const catalogues = { en: { 'page.one': 'One' }, cs: { 'page.one': 'Jedna' } };
  expect(problems(catalogues, `// page.one\n'page.one.more'`, new Map())).toEqual(['page.one is unused']);
});

test.each([
  ['Ahoy, {name', 'Ahoj, {name}', 'page.text is invalid: SyntaxError: EXPECT_ARGUMENT_CLOSING_BRACE'],
  ['<b>Ahoy</b>', '<b>Ahoj</i>', 'page.text is invalid: SyntaxError: UNMATCHED_CLOSING_TAG'],
  ['Ahoy', ' ', 'page.text is empty'],
])('%j with %j is no pair of messages', (en, cs, problem) => {
  expect(problemsOf(en, cs)).toEqual([problem]);
});

test.each([
  ['Ahoy, {name}', 'Ahoj, {jmeno}', 'Missing variable name in message'],
  ['Ahoy, {name}', 'Ahoj', 'Different number of variables: [name] vs []'],
  [
    'At most {limit, number} m',
    'Nejvýše {limit} m',
    'Variable limit has conflicting types: number vs argument',
  ],
  ['Since {day, date}', 'Od {day, time}', 'Variable day has conflicting types: date vs time'],
  ['<b>Ahoy</b>', 'Ahoj', 'Different number of variables: [b] vs []'],
  ['<b>Ahoy, {name}</b>', '<b>Ahoj</b>', 'Different number of variables: [b, name] vs [b]'],
])('%j has other placeholders than %j', (en, cs, problem) => {
  expect(problemsOf(en, cs)).toEqual([`page.text differs in cs: ${problem}`]);
});

test('a select has the same options in both languages', () => {
  const english = '<b>{who, select, sailor {Sailor} other {Guest}}</b>';
  expect(problemsOf(english, '<b>{who, select, jachtar {Jachtař} other {Host}}</b>')).toEqual([
    'page.text has other options in cs',
  ]);
  expect(problemsOf(english, '<b>{who, select, other {Host} sailor {Jachtař}}</b>')).toEqual([]);
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
  [ENGLISH, '{n, plural, one {# loď} other {# lodí}}', 'cs needs few, many, one, other, and has one, other'],
  [
    '{n, plural, one {# boat} few {# boats} other {# boats}}',
    '{n, plural, one {# loď} few {# lodě} many {# lodi} other {# lodí}}',
    'en needs one, other, and has few, one, other',
  ],
  [
    '<b>{n, plural, other {# boats}}</b>',
    '<b>{n, plural, one {# loď} few {# lodě} many {# lodi} other {# lodí}}</b>',
    'en needs one, other, and has other',
  ],
])('%j with %j has missing or excess plural forms', (en, cs, problem) => {
  expect(problemsOf(en, cs)).toEqual([`page.text: {n} in ${problem}`]);
});

test('a plural in English is one in Czech too', () => {
  expect(problemsOf(ENGLISH, '{n, number} lodí')).toEqual([
    'page.text differs in cs: Variable n has conflicting types: plural vs number',
  ]);
});

test('an English message in Czech is a problem', () => {
  expect(problemsOf('Harbour', 'Harbour')).toEqual(['page.text is still English in cs']);
});

test('the list of equal messages holds no others', () => {
  const catalogues = { en: { 'page.text': 'Harbour' }, cs: { 'page.text': 'Přístav' } };
  expect(problems(catalogues, `'page.text'`, new Map([['page.text', 'a name']]))).toEqual([
    'page.text is listed as the same in both languages, but is not',
  ]);
});

test.each(['Přístav - Vítejte', 'Loď "Albatros"', 'Odesíláme...'])('%j breaks Czech typography', (cs) => {
  expect(problemsOf('Harbour', cs)).toEqual([
    'page.text in cs has a hyphen for –, straight quotes for „“, or dots for …',
  ]);
});

test.each(['Přístav – Vítejte', 'Loď „Albatros“', 'Odesíláme…', 'Česko-polská regata'])(
  '%j follows Czech typography',
  (cs) => {
    expect(problemsOf('Harbour', cs)).toEqual([]);
  },
);
