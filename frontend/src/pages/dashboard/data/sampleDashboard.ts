import type { Dashboard } from '../dashboard';

const HOUR_MS = 3_600_000;

/** Return the sample dashboard; its figures are those of spec section 2. */
export function sampleDashboard(now: Date): Dashboard {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString();
  return {
    stats: { trips: 12, miles: 847, races: 5 },
    posts: [
      {
        id: 'bura-to-vis',
        author: 'Marco Bianchi',
        role: 'Charter skipper',
        createdAt: hoursAgo(2),
        content:
          'The bura dropped at dawn, so we slipped the lines at six and had Vis to ourselves by lunch. Twenty-two knots on the beam all the way and not one reef too many. The crew asked if it is always like this. I\u00A0said yes.',
        likes: 24,
        comments: 8,
        shares: 3,
      },
      {
        id: 'night-watch',
        author: 'Sarah Lindqvist',
        role: 'Navigator',
        createdAt: hoursAgo(5),
        content:
          'Three nights, two lighthouses and one very patient cargo ship. First passage on which I trusted my own plot more than the screen. Chart, pencil and coffee recommended, in that order.',
        likes: 41,
        comments: 12,
        shares: 5,
      },
      {
        id: 'looking-for-a-bow',
        author: 'Petra Svobodová',
        role: 'Mainsail trimmer',
        createdAt: hoursAgo(24),
        content:
          'Our bowman is off to become a father, so there is a seat free for the autumn series. Light, quick on your feet and cheerful before nine in the morning? We have good sandwiches.',
        likes: 17,
        comments: 21,
        shares: 9,
      },
    ],
    trendingTags: [
      { name: '#AdriaticAutumn', posts: 214 },
      { name: '#CrewWanted', posts: 168 },
      { name: '#FirstNightWatch', posts: 97 },
      { name: '#GennakerMonday', posts: 63 },
      { name: '#AnchorStories', posts: 41 },
    ],
  };
}
