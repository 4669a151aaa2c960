import { FormattedMessage, useIntl } from 'react-intl';

import { oceanPoster } from '../../pictures/ocean-poster';
import type { Member } from '../../session/AuthProvider';
import { fullNameOf } from '../../session/memberName';
import { Avatar } from '../../ui/Avatar';
import { Card } from '../../ui/Card';
import { Picture } from '../../ui/Picture';
import { Stat } from '../../ui/Stat';
import * as styles from './MemberCard.module.css';
import { useSailingStats } from './useDashboard';

/** Who is signed in, and what they have sailed. */
export function MemberCard({ member }: { member: Member }) {
  const { formatNumber } = useIntl();
  const { trips, miles, races } = useSailingStats();
  const name = fullNameOf(member);
  return (
    <Card className={styles.member}>
      <div className={styles.water}>
        <Picture files={oceanPoster} alt="" sizes="17rem" lazy className={styles.picture} />
      </div>
      <div className={styles.person}>
        <Avatar name={name} />
        <p className={styles.name}>{name}</p>
      </div>
      <ul className={styles.stats}>
        <Stat
          value={formatNumber(trips)}
          label={<FormattedMessage id="dashboard.trips" values={{ count: trips }} />}
        />
        <Stat
          value={formatNumber(miles)}
          label={<FormattedMessage id="dashboard.miles" values={{ count: miles }} />}
        />
        <Stat
          value={formatNumber(races)}
          label={<FormattedMessage id="dashboard.races" values={{ count: races }} />}
        />
      </ul>
    </Card>
  );
}
