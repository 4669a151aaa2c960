import type { Post } from './post';

/** The sample posts. */
export const SAMPLE_POSTS: readonly Post[] = [
  {
    id: 'bura-to-vis',
    author: 'Marco Bianchi',
    role: 'Charter skipper',
    time: '2 hours ago',
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
    time: '5 hours ago',
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
    time: 'Yesterday',
    content:
      'Our bowman is off to become a father, so there is a seat free for the autumn series. Light, quick on your feet and cheerful before nine in the morning? We have good sandwiches.',
    likes: 17,
    comments: 21,
    shares: 9,
  },
];
