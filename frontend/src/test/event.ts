import type { SailingEvent } from '../features/events/event';

export const EVENT: SailingEvent = {
  id: 'night-sail',
  title: 'Night Sail',
  type: 'trip',
  date: '2026-07-15',
  startTime: '21:00',
  endTime: '23:30',
  location: 'Split, Croatia',
  description: 'Stars and no engine.',
  organizer: 'Olga',
  participants: 8,
  difficulty: 'all',
  isRegistered: false,
  status: 'upcoming',
};
