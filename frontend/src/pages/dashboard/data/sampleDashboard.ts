import type { MessageId } from '../../../i18n/catalogues';
import courseNavigation from '@media/course-navigation.avif?picture';
import heroSailors from '@media/hero-sailors.avif?picture';
import type { Dashboard } from '../dashboard';

const HOUR_MS = 3_600_000;

/**
 * Return the sample dashboard; its figures are those of spec section 2.
 *
 * @param now the time of the visit; the posts are a few hours old
 * @param translate return a message in the language of the page
 */
export function createSampleDashboard(now: Date, translate: (id: MessageId) => string): Dashboard {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString();
  return {
    stats: { trips: 12, miles: 847, races: 5 },
    posts: [
      {
        id: 'bura-to-vis',
        author: 'Marco Bianchi',
        role: translate('sampleDashboard.skipper'),
        createdAt: hoursAgo(2),
        content: translate('sampleDashboard.vis'),
        image: { ...heroSailors, alt: translate('pictures.regatta') },
        likes: 24,
        comments: 8,
        shares: 3,
      },
      {
        id: 'night-watch',
        author: 'Sarah Lindqvist',
        role: translate('sampleDashboard.navigator'),
        createdAt: hoursAgo(5),
        content: translate('sampleDashboard.nightWatch'),
        image: { ...courseNavigation, alt: translate('pictures.chart') },
        likes: 41,
        comments: 12,
        shares: 5,
      },
      {
        id: 'looking-for-a-bow',
        author: 'Petra Svobodová',
        role: translate('sampleDashboard.trimmer'),
        createdAt: hoursAgo(24),
        content: translate('sampleDashboard.bowWanted'),
        likes: 17,
        comments: 21,
        shares: 9,
      },
    ],
    trendingTags: [
      { name: translate('sampleDashboard.tagAdriatic'), posts: 214 },
      { name: translate('sampleDashboard.tagCrew'), posts: 168 },
      { name: translate('sampleDashboard.tagNight'), posts: 97 },
      { name: translate('sampleDashboard.tagGennaker'), posts: 63 },
      { name: translate('sampleDashboard.tagAnchor'), posts: 41 },
    ],
  };
}
