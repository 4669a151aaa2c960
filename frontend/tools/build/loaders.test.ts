import { expect, test } from 'vitest';

import catalogueLoader from './catalogue-loader.js';
import layerLoader from './layer-loader.js';

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

test.each([
  ['cs', 'Vítr a vlny, k tomu v zátoce klid. I u mola.', 'Vítr a~vlny, k~tomu v~zátoce klid. I~u~mola.'],
  ['cs', 'síla větru', 'síla větru'],
  ['cs', 'e-mailem na live-mail.example.', 'e-\u2060mailem na live-mail.example.'],
  ['en', 'I am a sailor', 'I am a sailor'],
])('in %s %j does not break after a one-letter word or the hyphen of e-mail: %j', (language, text, kept) => {
  expect(load(language, text)).toEqual([{ type: 0, value: kept.replaceAll('~', '\u00a0') }]);
});

test.each(['port.pageTitle', 'port.pageDescription'])('the head message %s keeps its spaces', (id) => {
  expect(load('cs', 'Vítr a vlny', id)).toEqual([{ type: 0, value: 'Vítr a vlny' }]);
});

test.each([
  ['ui/Button', 'ui'],
  ['menus/Bell', 'modules'],
  ['pages/landing/Features', 'pages'],
])('%s is in the layer %s', (file, layer) => {
  const styles = layerLoader.call(
    { resourcePath: `/sailing/frontend/src/${file}.module.css` },
    '.part { color: red }\n',
  );
  expect(styles).toBe(`@layer ${layer} {\n.part { color: red }\n}\n`);
});
