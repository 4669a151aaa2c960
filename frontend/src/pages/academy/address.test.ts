import { expect, test } from 'vitest';

import { readFilter, writeFilter } from './address';
import { CATEGORIES, LEVELS } from './course';

test.each(['', 'category=&level=', 'category=cooking&level=Beginner', 'CATEGORY=racing', 'q=racing'])(
  'the query %j narrows nothing',
  (query) => {
    expect(readFilter(new URLSearchParams(query))).toEqual({ category: '', level: '' });
  },
);

test('every filter can be written and read again', () => {
  for (const category of ['', ...CATEGORIES] as const) {
    for (const level of ['', ...LEVELS] as const) {
      const query = writeFilter({ category, level }).toString();
      expect(readFilter(new URLSearchParams(query))).toEqual({ category, level });
    }
  }
});

test('what narrows nothing is not in the address', () => {
  expect(writeFilter({ category: '', level: '' }).toString()).toBe('');
  expect(writeFilter({ category: 'racing', level: '' }).toString()).toBe('category=racing');
});
