import { expect, test } from 'vitest';

import { readView, writeView } from './address';

const PRESENT = '2026-07';

test.each([
  ['', { month: PRESENT, type: '' }],
  ['month=2027-01&type=trip', { month: '2027-01', type: 'trip' }],
  ['type=training', { month: PRESENT, type: 'training' }],
])('the address ?%s asks for %o', (query, view) => {
  expect(readView(new URLSearchParams(query), PRESENT)).toEqual(view);
});

test.each([
  'month=2026-13',
  'month=July',
  'month=',
  'type=party',
  'type=',
  'type=Race',
  'month=99999-01&type=__proto__',
])('what is no month and no type is ignored: ?%s', (query) => {
  expect(readView(new URLSearchParams(query), PRESENT)).toEqual({ month: PRESENT, type: '' });
});

test.each([
  [{ month: PRESENT, type: '' } as const, ''],
  [{ month: PRESENT, type: 'race' } as const, 'type=race'],
  [{ month: '2026-08', type: '' } as const, 'month=2026-08'],
  [{ month: '2026-06', type: 'gathering' } as const, 'month=2026-06&type=gathering'],
])('%o is written as ?%s, and read back from it', (view, query) => {
  const params = writeView(view, PRESENT);
  expect(params.toString()).toBe(query);
  expect(readView(params, PRESENT)).toEqual(view);
});
