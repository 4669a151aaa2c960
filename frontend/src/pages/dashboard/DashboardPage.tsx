import { FormattedMessage } from 'react-intl';

import { PageTitle } from '../../layouts/PageHeading';
import { QueryBoundary } from '../../loading/QueryBoundary';
import { useMember } from '../../session/AuthProvider';
import { Composer } from './Composer';
import * as styles from './DashboardPage.module.css';
import { useDashboardQuery } from './data/useDashboardQuery';
import { Feed } from './Feed';
import { MemberCard } from './MemberCard';
import { SideMenu } from './SideMenu';
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
