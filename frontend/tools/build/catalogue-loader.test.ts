import { expect, test } from 'vitest';

import catalogueLoader from './catalogue-loader.js';

function load(language: string, message: string, id = 'port.title'): unknown {
  const module = catalogueLoader.call(
    { resourcePath: `/src/i18n/messages/${language}/port.json` },
    JSON.stringify({ [id]: message }),
  );
  return (JSON.parse(module.replace('export default ', '')) as Record<string, unknown>)[id];
}

test('a message becomes its syntax tree', () => {
  expect(load('en', 'Hello {name}')).toEqual([
    { type: 0, value: 'Hello ' },
    { type: 1, value: 'name' },
  ]);
});

test('a message that cannot be read fails the build', () => {
  expect(() => load('en', 'Hello {name')).toThrow(SyntaxError);
});

test('no Czech line ends with a word of one letter', () => {
  expect(load('cs', 'Vítr a vlny, k tomu v zátoce klid. I u mola.')).toEqual([
    { type: 0, value: 'Vítr a\u00a0vlny, k\u00a0tomu v\u00a0zátoce klid. I\u00a0u\u00a0mola.' },
  ]);
});

test.each(['port.pageTitle', 'port.pageDescription'])('%s has no lines, and stays as it is written', (id) => {
  expect(load('cs', 'Vítr a vlny', id)).toEqual([{ type: 0, value: 'Vítr a vlny' }]);
});

test('a letter inside or at the end of a word is no word', () => {
  expect(load('cs', 'síla větru')).toEqual([{ type: 0, value: 'síla větru' }]);
});

test('English stays as it is written', () => {
  expect(load('en', 'I am a sailor')).toEqual([{ type: 0, value: 'I am a sailor' }]);
});
