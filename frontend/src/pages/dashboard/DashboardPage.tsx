import { clsx } from 'clsx';
import { Bookmark, Flag, GraduationCap, type IconNode, Network, Sailboat, Settings } from 'lucide';
import { useIntl } from 'react-intl';

import { Text, useT } from '../../i18n/LanguageProvider';
import type { MessageId } from '../../i18n/catalogues';
import { PageTitle } from '../../shell/PageHeading';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { useMember } from '../../session/AuthProvider';
import { getFullName, type Member } from '../../session/member';
import { Card } from '../../ui/Card';
import { CoverHeader } from '../../ui/CoverHeader';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import { Stat } from '../../ui/Stat';
import type { Dashboard } from './dashboard';
import { useDashboardQuery } from './data/useDashboardQuery';
import * as styles from './DashboardPage.module.css';
import { Composer, Feed } from './Feed';
import { QuickActions, TrendingTags, UpcomingEvents } from './SideSections';

export { AppLayout as Layout } from '../../shell/AppLayout';

/** Render `/dashboard` (spec section 2, Dashboard). */
export default function DashboardPage() {
  const t = useT();
  const member = useMember();
  const query = useDashboardQuery();
  return (
    <div className={clsx('stack', styles.columns)}>
      <div className={styles.left}>
        <MemberCard member={member} stats={query.data?.stats} />
        <SideMenu />
      </div>
      <div>
        <div className={styles.header}>
          <PageTitle>{t('dashboard.title')}</PageTitle>
        </div>
        <Composer member={member} />
        <QueryBoundary query={query}>{({ posts }) => <Feed posts={posts} />}</QueryBoundary>
      </div>
      <div className={styles.right}>
        <QuickActions />
        {query.data && <TrendingTags tags={query.data.trendingTags} />}
        <UpcomingEvents />
      </div>
    </div>
  );
}

/** Links of the spec, section 2; four of the pages do not exist yet. */
const ITEMS: readonly { label: MessageId; to: string; icon: IconNode }[] = [
  { label: 'navigation.academy', to: '/academy', icon: GraduationCap },
  { label: 'dashboard.racing', to: '/races', icon: Flag },
  { label: 'dashboard.network', to: '/network', icon: Network },
  { label: 'navigation.marketplace', to: '/marketplace', icon: Sailboat },
  { label: 'dashboard.saved', to: '/saved', icon: Bookmark },
  { label: 'dashboard.settings', to: '/settings', icon: Settings },
];

function SideMenu() {
  const t = useT();
  return (
    <Card>
      <nav aria-label={t('dashboard.menu')}>
        <ul className={styles.menu}>
          {ITEMS.map(({ label, to, icon }) => (
            <li key={to}>
              <Link to={to} className={clsx('label', styles.item)}>
                <Icon icon={icon} size={20} />
                <Text>{t(label)}</Text>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  );
}

const FIGURES = [
  { name: 'trips', label: 'dashboard.trips' },
  { name: 'miles', label: 'dashboard.miles' },
  { name: 'races', label: 'dashboard.races' },
] as const;

/** The figures are undefined until loaded. */
function MemberCard({ member, stats }: { member: Member; stats: Dashboard['stats'] | undefined }) {
  const t = useT();
  const { formatNumber } = useIntl();
  const name = getFullName(member);
  return (
    <CoverHeader name={name} size="small">
      <p className={styles.name}>{name}</p>
      {stats && (
        <ul className={styles.stats}>
          {FIGURES.map(({ name: figure, label }) => (
            <Stat
              key={figure}
              value={formatNumber(stats[figure])}
              label={t(label, { count: stats[figure] })}
            />
          ))}
        </ul>
      )}
    </CoverHeader>
  );
}
