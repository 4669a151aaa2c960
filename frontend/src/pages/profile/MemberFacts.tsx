import { clsx } from 'clsx';
import { CalendarDays, History, type IconNode, Mail, MailWarning, ShieldCheck } from 'lucide';
import { type ReactNode, useId, useRef, useState } from 'react';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { describeError, getServerErrors } from '../../lib/api/errors';
import type { MessageId } from '../../i18n/catalogues';
import { useAuth } from '../../session/AuthProvider';
import type { Member } from '../../session/member';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { FormMessage } from '../../ui/FormMessage';
import { IconDisc } from '../../ui/Icon';
import { JumpLink } from '../../ui/JumpLink';
import * as styles from './MemberFacts.module.css';
import { FACTS, OPTIONAL_FIELDS } from './profileFields';

/** The read view of the profile (spec section 2, Profile). */
export function MemberFacts({ user }: { user: Member }) {
  const t = useT();
  const intl = useIntl();
  const headingId = useId();
  const facts = FACTS.filter((name) => user[name]);
  // Email and two dates; a verified email has its status among them.
  const count = facts.length + (user.isEmailVerified && !user.isEmailUndeliverable ? 4 : 3);
  return (
    <Card element="section" aria-labelledby={headingId} className={styles.card}>
      <h2 id={headingId} className={styles.title}>
        {t('profile.details')}
      </h2>
      <dl className={clsx('stack', styles.facts)} data-count={count}>
        <Fact icon={Mail} labelId="auth.email">
          <div className={styles.email}>
            <span className={styles.address}>
              {/* A long address wraps before its domain. */}
              <span>{user.email.slice(0, user.email.lastIndexOf('@'))}</span>
              <wbr />
              <span>{user.email.slice(user.email.lastIndexOf('@'))}</span>
            </span>
            <Badge tone={user.isEmailVerified ? 'good' : 'waiting'}>
              {t(user.isEmailVerified ? 'profile.verified' : 'profile.unverified')}
            </Badge>
          </div>
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
      {facts.length === 0 && !user.nickname && (
        <p className={clsx('muted', styles.note)}>{t('profile.roomForMore')}</p>
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

interface FactProps {
  icon: IconNode;
  labelId: MessageId;
  className?: string | undefined;
  children: ReactNode;
}

/** One labelled value of the profile. */
function Fact({ icon, labelId, className, children }: FactProps) {
  return (
    <div className={clsx(styles.fact, className)}>
      <dt className={clsx('muted', styles.label)}>
        <span className={styles.disc}>
          <IconDisc icon={icon} />
        </span>
        <FormattedMessage id={labelId} />
      </dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

/** The result of asking for the verification mail. */
type ResendResult =
  { messageId: 'profile.resent' | 'profile.alreadyVerified' | 'profile.resendPause' } | { error: unknown };

/**
 * Whether the email is verified and mails arrive; if not, a notice above the facts with a button to send the mail again
 * (spec section 2, Profile) or to change the email.
 */
function EmailStatus({ user }: { user: Member }) {
  const t = useT();
  const intl = useIntl();
  const { resendVerification } = useAuth();
  const [pending, setPending] = useState(false);
  const [result, setResult] = useState<ResendResult>();
  const status = useRef<HTMLParagraphElement>(null);
  const isWorking = user.isEmailVerified && !user.isEmailUndeliverable;

  async function resend() {
    setPending(true);
    setResult(undefined);
    try {
      const isSent = await resendVerification();
      setResult({ messageId: isSent ? 'profile.resent' : 'profile.alreadyVerified' });
      // The focused button will be removed.
      if (!isSent) status.current?.focus();
    } catch (error) {
      // The server's message does not name the mail.
      const isRateLimited = getServerErrors(error)[0]?.extensions?.code === 'RATE_LIMITED';
      setResult(isRateLimited ? { messageId: 'profile.resendPause' } : { error });
    } finally {
      setPending(false);
    }
  }

  return (
    <Fact
      icon={isWorking ? ShieldCheck : MailWarning}
      labelId="profile.emailStatus"
      className={isWorking ? undefined : styles.notice}
    >
      <p>
        {user.isEmailUndeliverable
          ? t('profile.emailUndeliverable', { email: user.email })
          : t(user.isEmailVerified ? 'profile.emailVerified' : 'profile.emailUnverified')}
      </p>
      {user.isEmailUndeliverable && (
        <JumpLink target="setting-email" variant="secondary">
          {t('profile.changeEmail')}
        </JumpLink>
      )}
      {!user.isEmailVerified && (
        <Button
          variant="secondary"
          className={styles.resend}
          pendingLabel={pending && intl.formatMessage({ id: 'profile.resending' })}
          data-track="resend_verification"
          onClick={() => void resend()}
        >
          {t('profile.resend')}
        </Button>
      )}
      {/* A live region must exist before its text. */}
      <p ref={status} role="status" tabIndex={-1} className={styles.result}>
        {result && 'messageId' in result && (
          <FormattedMessage id={result.messageId} values={{ email: user.email }} />
        )}
      </p>
      <FormMessage>
        {result && 'error' in result ? describeError(result.error, intl, 'profile.resendFailed') : undefined}
      </FormMessage>
    </Fact>
  );
}
