import { expect, test } from 'vitest';

import { readFilter, writeFilter } from './searchParams';

test.each([
  ['', { category: '', level: '' }],
  ['category=racing', { category: 'racing', level: '' }],
  ['category=navigation&level=advanced', { category: 'navigation', level: 'advanced' }],
] as const)('?%s is read as %o and written back', (query, filter) => {
  expect(readFilter(new URLSearchParams(query))).toEqual(filter);
  expect(writeFilter(filter).toString()).toBe(query);
});

test.each(['category=&level=', 'category=cooking&level=Beginner', 'CATEGORY=racing', 'q=racing'])(
  'invalid values are ignored: ?%s',
  (query) => {
    expect(readFilter(new URLSearchParams(query))).toEqual({ category: '', level: '' });
  },
);
