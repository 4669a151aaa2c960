import { Bookmark, Flag, GraduationCap, type IconNode, Network, Sailboat, Settings } from 'lucide';
import { FormattedMessage, useIntl } from 'react-intl';

import type { MessageId } from '../../i18n/catalogues';
import { PageTitle } from '../../layouts/PageHeading';
import { QueryBoundary } from '../../loading/QueryBoundary';
import { useMember } from '../../session/AuthProvider';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import * as styles from './DashboardPage.module.css';
import { useDashboardQuery } from './data/useDashboardQuery';
import { Composer, Feed } from './Feed';
import { MemberCard } from './MemberCard';
import { QuickActions, TrendingTags, UpcomingEvents } from './SideSections';

export { AppLayout as Layout } from '../../layouts/AppLayout';

/** Render `/dashboard` (spec section 2, Dashboard). */
export default function DashboardPage() {
  const member = useMember();
  const query = useDashboardQuery();
  return (
    <div className={styles.columns}>
      <div className={styles.left}>
        <MemberCard member={member} stats={query.data?.stats} />
        <SideMenu />
      </div>
      <div>
        <div className={styles.header}>
          <PageTitle>
            <FormattedMessage id="dashboard.title" />
          </PageTitle>
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
  { label: 'dashboard.academy', to: '/academy', icon: GraduationCap },
  { label: 'dashboard.racing', to: '/races', icon: Flag },
  { label: 'dashboard.network', to: '/network', icon: Network },
  { label: 'dashboard.marketplace', to: '/marketplace', icon: Sailboat },
  { label: 'dashboard.saved', to: '/saved', icon: Bookmark },
  { label: 'dashboard.settings', to: '/settings', icon: Settings },
];

export function SideMenu() {
  const { formatMessage } = useIntl();
  return (
    <Card>
      <nav aria-label={formatMessage({ id: 'dashboard.menu' })}>
        <ul className={styles.menu}>
          {ITEMS.map(({ label, to, icon }) => (
            <li key={to}>
              <Link to={to} className={styles.item}>
                <Icon icon={icon} size={20} />
                <FormattedMessage id={label} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Card>
  );
}
