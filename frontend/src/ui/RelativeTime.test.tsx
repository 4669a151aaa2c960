import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { RelativeTime } from './RelativeTime';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-07-15T12:00:00Z') });
});
test.each([
  ['2026-07-15T11:58:00Z', '2 minutes ago', 'před 2 minutami'],
  ['2026-07-15T06:10:00Z', '5 hours ago', 'před 5 hodinami'],
  ['2026-07-14T12:00:00Z', 'yesterday', 'včera'],
  ['2026-07-11T12:00:00Z', '4 days ago', 'před 4 dny'],
])('%s is %j in English and %j in Czech', (dateTime, english, czech) => {
  const { unmount } = renderInSite(<RelativeTime dateTime={dateTime} />);
  expect(screen.getByText(english)).toHaveAttribute('datetime', dateTime);
  unmount();
  renderInSite(<RelativeTime dateTime={dateTime} />, { language: 'cs' });
  expect(screen.getByText(czech)).toBeVisible();
});
