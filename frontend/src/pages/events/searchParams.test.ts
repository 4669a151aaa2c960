import { expect, test } from 'vitest';

import { readState, writeState } from '../../lib/router/useUrlState';
import { VIEW_READERS } from './EventsPage';

test.each([
  ['', { month: '', type: '' }],
  ['type=training', { month: '', type: 'training' }],
  ['month=2027-01&type=trip', { month: '2027-01', type: 'trip' }],
] as const)('?%s is read as %o and written back', (query, view) => {
  expect(readState(query, VIEW_READERS)).toEqual(view);
  expect(writeState(view, '', VIEW_READERS)).toBe(query);
});

test.each([
  'month=2026-13',
  'month=July',
  'month=',
  'type=party',
  'type=',
  'type=Race',
  'month=99999-01&type=__proto__',
])('invalid values are ignored: ?%s', (query) => {
  expect(readState(query, VIEW_READERS)).toEqual({ month: '', type: '' });
});
