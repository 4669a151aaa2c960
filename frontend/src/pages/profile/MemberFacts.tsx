import { CalendarDays, Flag, History, Mail, Phone } from 'lucide';
import { FormattedMessage } from 'react-intl';

import type { Member } from '../../session/AuthProvider';
import { Badge } from '../../ui/Badge';
import { EmailStatus } from './EmailStatus';
import { Fact } from './Fact';
import { FactCard } from './FactCard';
import * as styles from './MemberFacts.module.css';
import { useMemberDate } from './useMemberDate';

/** What a member reads about themselves (spec section 2, Profile, Read view). */
export function MemberFacts({ user }: { user: Member }) {
  const dateOf = useMemberDate();
  return (
    <div className={styles.cards}>
      <FactCard
        titleId="profile.contact"
        note={user.phone || user.nationality ? undefined : 'profile.roomForMore'}
      >
        <Fact icon={Mail} labelId="profile.email">
          <span className={styles.email}>
            <span className={styles.address}>{user.email}</span>
            {user.isEmailVerified ? (
              <Badge tone="good">
                <FormattedMessage id="profile.verified" />
              </Badge>
            ) : (
              <Badge tone="waiting">
                <FormattedMessage id="profile.unverified" />
              </Badge>
            )}
          </span>
        </Fact>
        {user.phone && (
          <Fact icon={Phone} labelId="profile.phone">
            {user.phone}
          </Fact>
        )}
        {user.nationality && (
          <Fact icon={Flag} labelId="profile.nationality">
            {user.nationality}
          </Fact>
        )}
      </FactCard>
      <FactCard titleId="profile.account">
        <EmailStatus user={user} />
        <Fact icon={CalendarDays} labelId="profile.memberSince">
          {dateOf(user.createdAt)}
        </Fact>
        <Fact icon={History} labelId="profile.lastUpdated">
          {dateOf(user.updatedAt)}
        </Fact>
      </FactCard>
    </div>
  );
}
