import { clsx } from 'clsx';
import { CalendarDays, History, Mail, MailWarning, ShieldCheck } from 'lucide';
import { useState } from 'react';
import { type IntlShape, useIntl } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { describeError, getServerErrors } from '../../lib/api/errors';
import { passFocusOn } from '../../lib/pageStart';
import { useAuth } from '../../session/AuthProvider';
import type { Member } from '../../session/member';
import { useToast } from '../../ui/ToastProvider';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Facts } from '../../ui/Facts';
import { FormMessage } from '../../ui/FormMessage';
import { IconDisc } from '../../ui/Icon';
import { JumpLink } from '../../ui/JumpLink';
import * as styles from './MemberFacts.module.css';
import { FACTS, OPTIONAL_FIELDS } from './profileFields';

/** The read view of the profile (spec section 2, Profile). */
export function MemberFacts({ user }: { user: Member }) {
  const t = useT();
  const intl = useIntl();
  const { email, isEmailVerified, isEmailUndeliverable } = user;
  const isWorking = isEmailVerified && !isEmailUndeliverable;
  const domainStart = email.lastIndexOf('@');
  const optional = FACTS.filter((name) => user[name]);

  const address = (
    <div className={styles.email}>
      {/* A long address wraps before its domain. */}
      <span>
        <span>{email.slice(0, domainStart)}</span>
        <wbr />
        <span>{email.slice(domainStart)}</span>
      </span>
      <Badge tone={isEmailVerified ? 'good' : 'waiting'}>
        {t(isEmailVerified ? 'profile.verified' : 'profile.unverified')}
      </Badge>
    </div>
  );
  const status = {
    icon: ShieldCheck,
    label: 'profile.emailStatus',
    value: t('profile.emailVerified'),
  } as const;

  return (
    <>
      {!isWorking && <EmailNotice user={user} />}
      <Facts
        hasDiscs
        className={styles.facts}
        facts={[
          { icon: Mail, label: 'auth.email', value: address },
          ...(isWorking ? [status] : []),
          ...optional.map((name) => ({
            icon: OPTIONAL_FIELDS[name].icon,
            label: OPTIONAL_FIELDS[name].labelId,
            value: user[name],
          })),
          {
            icon: CalendarDays,
            label: 'profile.memberSince',
            value: formatMemberDate(user.createdAt, intl),
          },
          { icon: History, label: 'profile.lastUpdated', value: formatMemberDate(user.updatedAt, intl) },
        ]}
      />
      {optional.length === 0 && !user.nickname && (
        <p className={clsx('muted', styles.note)}>{t('profile.roomForMore')}</p>
      )}
    </>
  );
}

/** Format a date of the server in the long format (spec section 2, Profile), or say that there is none. */
function formatMemberDate(date: string, { formatDate, formatMessage }: IntlShape): string {
  if (!date) return formatMessage({ id: 'profile.dateMissing' });
  if (Number.isNaN(Date.parse(date))) return formatMessage({ id: 'profile.dateUnavailable' });
  return formatDate(date, { year: 'numeric', month: 'long', day: 'numeric' });
}

/** Say why no mail arrives, with a button to send the mail again (spec section 2, Profile) or to change the email. */
function EmailNotice({ user: { email, isEmailVerified, isEmailUndeliverable } }: { user: Member }) {
  const t = useT();
  const intl = useIntl();
  const { resendVerification } = useAuth();
  const { notify } = useToast();
  const [pending, setPending] = useState(false);
  const [result, setResult] = useState<string>();
  const [error, setError] = useState<string>();

  async function resend() {
    setPending(true);
    setResult(undefined);
    setError(undefined);
    try {
      if (await resendVerification()) setResult(t('profile.resent', { email }));
      // The notice has disappeared.
      else notify(t('profile.alreadyVerified'));
    } catch (failure) {
      // The server's message does not name the mail.
      const isRateLimited = getServerErrors(failure)[0]?.extensions?.code === 'RATE_LIMITED';
      setError(
        isRateLimited ? t('profile.resendPause') : describeError(failure, intl, 'profile.resendFailed'),
      );
    } finally {
      setPending(false);
    }
  }

  return (
    <div ref={passFocusOn} className={styles.notice}>
      <IconDisc icon={MailWarning} />
      <h3 className="muted">{t('profile.emailStatus')}</h3>
      <p className={styles.text}>
        {t(isEmailUndeliverable ? 'profile.emailUndeliverable' : 'profile.emailUnverified', { email })}
      </p>
      <div className={clsx('wrap', styles.actions)}>
        {isEmailUndeliverable && (
          <JumpLink target="setting-email" variant="secondary">
            {t('profile.changeEmail')}
          </JumpLink>
        )}
        {!isEmailVerified && (
          <Button
            variant="secondary"
            pendingLabel={pending && t('profile.resending')}
            data-track="resend_verification"
            onClick={() => void resend()}
          >
            {t('profile.resend')}
          </Button>
        )}
      </div>
      {/* A live region must exist before its text. */}
      <p role="status" className={styles.result}>
        {result}
      </p>
      <FormMessage>{error}</FormMessage>
    </div>
  );
}
