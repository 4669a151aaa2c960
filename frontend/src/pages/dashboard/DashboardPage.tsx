import { FormattedMessage } from 'react-intl';

import { useMember } from '../../session/AuthProvider';
import { ProfileLayout } from '../../shell/ProfileLayout';
import { Composer } from './Composer';
import * as styles from './DashboardPage.module.css';
import { Feed } from './Feed';
import { MemberCard } from './MemberCard';
import { QuickActions } from './QuickActions';
import { SideMenu } from './SideMenu';
import { TrendingTags } from './TrendingTags';
import { UpcomingEvents } from './UpcomingEvents';

/** `/dashboard`: what the community is up to, between what is the member's and what is next (spec section 2). */
export function DashboardPage() {
  const member = useMember();
  return (
    <ProfileLayout>
      <div className={styles.columns}>
        <div className={styles.left}>
          <MemberCard member={member} />
          <SideMenu />
        </div>
        <div>
          <h1 className={styles.title}>
            <FormattedMessage id="dashboard.title" />
          </h1>
          <Composer member={member} />
          <Feed />
        </div>
        <div className={styles.right}>
          <QuickActions />
          <TrendingTags />
          <UpcomingEvents />
        </div>
      </div>
    </ProfileLayout>
  );
}
