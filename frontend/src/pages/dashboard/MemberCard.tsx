import { FormattedMessage, useIntl } from 'react-intl';

import cover from '@media/cover.avif?picture';
import { getFullName, type Member } from '../../session/member';
import { Avatar } from '../../ui/Avatar';
import { Card } from '../../ui/Card';
import { PictureFrame } from '../../ui/PictureFrame';
import { Stat } from '../../ui/Stat';
import { Wave } from '../../ui/Wave';
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
  const name = getFullName(member);
  return (
    <Card className={styles.member}>
      <PictureFrame
        files={cover}
        alt=""
        sizes="40rem"
        className={styles.water}
        pictureClassName={styles.picture}
      >
        <Wave className={styles.wave} />
      </PictureFrame>
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
