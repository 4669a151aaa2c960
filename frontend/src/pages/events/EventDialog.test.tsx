import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import type { SailingEvent } from '../../features/events/event';
import { renderInSite } from '../../test/render';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { EventDialog } from './EventDialog';

vi.mock('../../shell/useOpensAtLaunch', { spy: true });

const TODAY = '2026-07-15';

const EVENT: SailingEvent = {
  id: 'night-sail',
  title: 'Night Sail',
  type: 'trip',
  date: TODAY,
  startTime: '21:00',
  endTime: '23:30',
  location: 'Split, Croatia',
  description: 'Stars and no engine.',
  organizer: 'Olga',
  participants: 8,
  maxParticipants: 10,
  price: 45,
  difficulty: 'all',
  isRegistered: false,
  status: 'upcoming',
};

function showEvent(event: Partial<SailingEvent> = {}) {
  const { user } = renderInSite(
    <EventDialog event={{ ...EVENT, ...event }} today={TODAY} onClose={vi.fn()} />,
  );
  return { user, dialog: within(screen.getByRole('dialog', { name: 'Night Sail' })) };
}

test('Join announces the launch', async () => {
  const opensAtLaunch = vi.fn();
  vi.mocked(useOpensAtLaunch).mockReturnValue(opensAtLaunch);
  const { user, dialog } = showEvent();
  await user.click(dialog.getByRole('button', { name: 'Join' }));
  expect(opensAtLaunch).toHaveBeenCalledOnce();
});

test.each([
  ['You have joined', { isRegistered: true }],
  ['This event is over', { date: '2026-07-14' }],
  ['This event is over', { date: '2026-07-14', isRegistered: true }],
  ['Fully booked', { participants: 10 }],
])('%j stands in place of Join: %j', (words, event) => {
  const { dialog } = showEvent(event);
  expect(dialog.getByText(words)).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Join' })).not.toBeInTheDocument();
});
