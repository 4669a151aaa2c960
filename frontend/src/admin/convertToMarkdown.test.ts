import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { convertToMarkdown } from './convertToMarkdown';

const read = (name: string) => readFileSync(`frontend/src/admin/clipboard/${name}.txt`, 'utf8');

test('keeps headings, emphasis, links and lists of Word', () => {
  expect(convertToMarkdown(read('word'))).toBe(
    [
      '# Fair winds in June',
      'Three **regattas** have room, and *one* is ***new***: see [our calendar](https://sailing.cz/events_%28june%29).',
      '## On the water',
      '- First leg\n    - with a **dinghy**\n- Second leg',
      'Then:',
      '1. Sign up\n2. Sail',
      'Split',
      '7 June',
    ].join('\n\n'),
  );
});

test('keeps headings, emphasis, links and lists of Google Docs', () => {
  expect(convertToMarkdown(read('google-docs'))).toBe(
    [
      '# Fair winds in June',
      'Three **regattas** have room, and *one* is ***new***: see [our calendar](https://sailing.cz/events), {first_name}.',
      '## On the water',
      '- First leg\n    - with a **dinghy**\n- Second leg',
      '1. Sign up\n2. Sail',
    ].join('\n\n'),
  );
});

test.each([
  ['<p>2 * 3 and a_b</p>', '2 \\* 3 and a\\_b'],
  ['<p>www.sailing.cz/a_b_c</p>', 'www.sailing.cz/a_b_c'],
  ['<p>one<br>two</p>', 'one  \ntwo'],
  ['<ol start="3"><li>three</li></ol>', '3. three'],
  ['<blockquote>Ahoy</blockquote>', '> Ahoy'],
  ['<a href="javascript:alert(1)">x</a>', 'x'],
  ['<a href="#part"><b>Part</b></a>', '**Part**'],
  ['<b><a href="https://sailing.cz/"><b>Boats</b></a></b>', '**[Boats](https://sailing.cz/)**'],
  ['<p>a</p><p><img src="file:///C:/a.png"></p><p>b</p>', 'a\n\nb'],
  ['<p>x</p><script>alert(1)</script><style>p {}</style>', 'x'],
])('converts %s', (html, markdown) => {
  expect(convertToMarkdown(html)).toBe(markdown);
});

test.each([
  ['{first</span><span>_name|sailor}', '{first_name|sailor}'],
  ['{first_name|</span><span lang="cs">milá *</span><span>*}', '{first_name|milá **}'],
  ['{</span><u>first</u>_<font color="red">name</font><ins>|x}</ins><span>', '{first_name|x}'],
  ['<b>Ahoy {first_name|sailor}</b>', '**Ahoy {first_name|sailor}**'],
  ['https://sailing.cz/a</span><span>_b_c', 'https://sailing.cz/a_b_c'],
  ['www.sailing.cz/</span><span style="color: red">a_<wbr>b', 'www.sailing.cz/a_b'],
  ['a</span><span>_b_ {c', 'a\\_b\\_ {c'],
])('joins what is split over several elements in %s', (html, markdown) => {
  expect(convertToMarkdown(`<p><span>${html}</span></p>`)).toBe(markdown);
});

test.each([
  '',
  '<span>Ahoy</span>',
  '<pre>**Ahoy**</pre>',
  '<div style="white-space: pre;"><b># Ahoy</b></div>',
])('leaves %s to the plain text', (html) => {
  expect(convertToMarkdown(html)).toBe('');
});
