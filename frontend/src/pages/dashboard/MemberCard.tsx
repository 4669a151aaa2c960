import { FormattedMessage, useIntl } from 'react-intl';

import { oceanPoster } from '../../pictures/ocean-poster';
import type { Member } from '../../session/AuthProvider';
import { fullNameOf } from '../../session/memberName';
import { Avatar } from '../../ui/Avatar';
import { Card } from '../../ui/Card';
import { Picture } from '../../ui/Picture';
import { Stat } from '../../ui/Stat';
import type { Dashboard } from './dashboard';
import * as styles from './MemberCard.module.css';

const FIGURES = [
  { name: 'trips', label: 'dashboard.trips' },
  { name: 'miles', label: 'dashboard.miles' },
  { name: 'races', label: 'dashboard.races' },
] as const;

interface MemberCardProps {
  member: Member;
  /** Undefined until loaded. */
  stats: Dashboard['stats'] | undefined;
}

export function MemberCard({ member, stats }: MemberCardProps) {
  const { formatNumber } = useIntl();
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
      {stats && (
        <ul className={styles.stats}>
          {FIGURES.map(({ name: figure, label }) => (
            <Stat
              key={figure}
              value={formatNumber(stats[figure])}
              label={<FormattedMessage id={label} values={{ count: stats[figure] }} />}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}
