import { CalendarDays, History, Mail } from 'lucide';
import { useId } from 'react';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';

import type { Member } from '../../session/member';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { EmailStatus } from './EmailStatus';
import { Fact } from './Fact';
import * as styles from './MemberFacts.module.css';
import { FACTS, OPTIONAL_FIELDS } from './profileFields';

/** The read view of the profile (spec section 2, Profile). */
export function MemberFacts({ user }: { user: Member }) {
  const intl = useIntl();
  const headingId = useId();
  const facts = FACTS.filter((name) => user[name]);
  // Email and two dates; a verified email has its status among them.
  const count = facts.length + (user.isEmailVerified ? 4 : 3);
  return (
    <Card element="section" aria-labelledby={headingId} className={styles.card}>
      <h2 id={headingId} className={styles.title}>
        <FormattedMessage id="profile.details" />
      </h2>
      <dl className={styles.facts} data-count={count}>
        <Fact icon={Mail} labelId="profile.email">
          <span className={styles.email}>
            <span className={styles.address}>
              {/* A long address wraps before its domain. */}
              <span>{user.email.slice(0, user.email.lastIndexOf('@'))}</span>
              <wbr />
              <span>{user.email.slice(user.email.lastIndexOf('@'))}</span>
            </span>
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
        <EmailStatus user={user} />
        {facts.map((name) => (
          <Fact key={name} icon={OPTIONAL_FIELDS[name].icon} labelId={OPTIONAL_FIELDS[name].labelId}>
            {user[name]}
          </Fact>
        ))}
        <Fact icon={CalendarDays} labelId="profile.memberSince">
          {formatMemberDate(user.createdAt, intl)}
        </Fact>
        <Fact icon={History} labelId="profile.lastUpdated">
          {formatMemberDate(user.updatedAt, intl)}
        </Fact>
      </dl>
      {facts.length === 0 && (
        <p className={styles.note}>
          <FormattedMessage id="profile.roomForMore" />
        </p>
      )}
    </Card>
  );
}

/** Format a date of the server in the long format (spec section 2, Profile), or say that there is none. */
function formatMemberDate(date: string, { formatDate, formatMessage }: IntlShape): string {
  if (!date) return formatMessage({ id: 'profile.dateMissing' });
  if (Number.isNaN(Date.parse(date))) return formatMessage({ id: 'profile.dateUnavailable' });
  return formatDate(date, { year: 'numeric', month: 'long', day: 'numeric' });
}
