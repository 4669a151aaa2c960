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

const BOATS = '{n, plural, one {# boat} other {# boats}}';
const LODE = '{n, plural, one {# loď} few {# lodě} many {# lodi} other {# lodí}}';
const WHO = '{who, select, sailor {Sailor} other {Guest}}';
const TYPOGRAPHY = 'page.text in cs has a hyphen for –, straight quotes for „“, or dots for …';

test.each([
  ['Ahoy, {name', 'Ahoj, {name}', 'page.text is invalid: SyntaxError: EXPECT_ARGUMENT_CLOSING_BRACE'],
  ['<b>Ahoy</b>', '<b>Ahoj</i>', 'page.text is invalid: SyntaxError: UNMATCHED_CLOSING_TAG'],
  ['Ahoy', ' ', 'page.text is empty'],
  ['Harbour', 'Harbour', 'page.text is still English in cs'],
  ['Ahoy, {name}', 'Ahoj, {jmeno}', 'page.text differs in cs: Missing variable name in message'],
  ['<b>{a}</b>', '<b>!</b>', 'page.text differs in cs: Different number of variables: [b, a] vs [b]'],
  [BOATS, '{n} lodí', 'page.text differs in cs: Variable n has conflicting types: plural vs argument'],
  [WHO, '{who, select, jachtar {Jachtař} other {Host}}', 'page.text has other options in cs'],
  [WHO, '{who, select, other {Host} sailor {Jachtař}}', undefined],
  [BOATS, LODE, undefined],
  [BOATS, LODE.replace('one', '=0 {žádná loď} one'), undefined],
  [
    BOATS,
    '{n, plural, one {# loď} other {# lodí}}',
    'page.text: {n} in cs needs few, many, one, other, and has one, other',
  ],
  ['<b>{n, plural, other {#}}</b>', `<b>${LODE}</b>`, 'page.text: {n} in en needs one, other, and has other'],
  ['Harbour', 'Přístav - Vítejte', TYPOGRAPHY],
  ['Harbour', 'Loď "Albatros"', TYPOGRAPHY],
  ['Harbour', 'Odesíláme...', TYPOGRAPHY],
  ['Harbour', 'Česko-polská regata – „Albatros“…', undefined],
])('%j with %j has the problem %j', (en, cs, problem) => {
  expect(problemsOf(en, cs)).toEqual(problem ? [problem] : []);
});

test('the list of equal messages holds no others', () => {
  const catalogues = { en: { 'page.text': 'Harbour' }, cs: { 'page.text': 'Přístav' } };
  expect(problems(catalogues, `'page.text'`, new Map([['page.text', 'a name']]))).toEqual([
    'page.text is listed as the same in both languages, but is not',
  ]);
});
