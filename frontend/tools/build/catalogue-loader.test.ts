import { expect, test } from 'vitest';

import catalogueLoader from './catalogue-loader.js';

function load(language: string, message: string, id = 'port.title'): unknown {
  const module = catalogueLoader.call(
    { resourcePath: `/home/cs/messages/${language}.json`, resourceQuery: '' },
    JSON.stringify({ [id]: message }),
  );
  return (JSON.parse(module.replace('export default ', '')) as Record<string, unknown>)[id];
}

test('compiles a message into its syntax tree', () => {
  expect(load('en', 'Hello {name}')).toEqual([
    { type: 0, value: 'Hello ' },
    { type: 1, value: 'name' },
  ]);
});

test('an invalid message fails the build', () => {
  expect(() => load('en', 'Hello {name')).toThrow(SyntaxError);
});

test('a non-breaking space follows a Czech one-letter word', () => {
  expect(load('cs', 'Vítr a vlny, k tomu v zátoce klid. I u mola.')).toEqual([
    { type: 0, value: 'Vítr a\u00a0vlny, k\u00a0tomu v\u00a0zátoce klid. I\u00a0u\u00a0mola.' },
  ]);
});

test('the Czech e-mail does not break after its hyphen, and an address with such a word stays as it is', () => {
  expect(load('cs', 'Potvrďte e-mailem na live-mail.example.')).toEqual([
    { type: 0, value: 'Potvrďte e-\u2060mailem na live-mail.example.' },
  ]);
});

test.each(['port.pageTitle', 'port.pageDescription'])('the head message %s keeps its spaces', (id) => {
  expect(load('cs', 'Vítr a vlny', id)).toEqual([{ type: 0, value: 'Vítr a vlny' }]);
});

test('the last letter of a longer word is not a one-letter word', () => {
  expect(load('cs', 'síla větru')).toEqual([{ type: 0, value: 'síla větru' }]);
});

test('English keeps its spaces', () => {
  expect(load('en', 'I am a sailor')).toEqual([{ type: 0, value: 'I am a sailor' }]);
});
