import { MailWarning, ShieldCheck } from 'lucide';
import { useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import { errorMessage, serverErrors } from '../../api/errors';
import { useAuth } from '../../session/AuthProvider';
import type { Member } from '../../session/member';
import { Button } from '../../ui/Button';
import { FormMessage } from '../../ui/FormMessage';
import * as styles from './EmailStatus.module.css';
import { Fact } from './Fact';

/** The result of asking for the verification mail. */
type ResendResult =
  { messageId: 'profile.resent' | 'profile.alreadyVerified' | 'profile.resendPause' } | { error: unknown };

/**
 * Whether the email is verified; if not, a notice above the facts with a button to send the mail again (spec section 2,
 * Profile).
 */
export function EmailStatus({ user }: { user: Member }) {
  const intl = useIntl();
  const { resendVerification } = useAuth();
  const [pending, setPending] = useState(false);
  const [result, setResult] = useState<ResendResult>();
  const status = useRef<HTMLParagraphElement>(null);

  async function resend() {
    trackButton('resend_verification', 'profile');
    setPending(true);
    setResult(undefined);
    try {
      const isSent = await resendVerification();
      setResult({ messageId: isSent ? 'profile.resent' : 'profile.alreadyVerified' });
      // The focused button will be removed.
      if (!isSent) status.current?.focus();
    } catch (error) {
      // The server's message does not name the mail.
      const isRateLimited = serverErrors(error)[0]?.extensions?.code === 'RATE_LIMITED';
      setResult(isRateLimited ? { messageId: 'profile.resendPause' } : { error });
    } finally {
      setPending(false);
    }
  }

  return (
    <Fact
      icon={user.isEmailVerified ? ShieldCheck : MailWarning}
      labelId="profile.emailStatus"
      className={user.isEmailVerified ? undefined : styles.notice}
    >
      <p>
        <FormattedMessage id={user.isEmailVerified ? 'profile.emailVerified' : 'profile.emailUnverified'} />
      </p>
      {!user.isEmailVerified && (
        <Button
          variant="secondary"
          className={styles.resend}
          pendingLabel={pending && intl.formatMessage({ id: 'profile.resending' })}
          onClick={() => void resend()}
        >
          <FormattedMessage id="profile.resend" />
        </Button>
      )}
      {/* A live region must exist before its text. */}
      <p ref={status} role="status" tabIndex={-1} className={styles.result}>
        {result && 'messageId' in result && (
          <FormattedMessage id={result.messageId} values={{ email: user.email }} />
        )}
      </p>
      <FormMessage>
        {result && 'error' in result ? errorMessage(result.error, intl, 'profile.resendFailed') : undefined}
      </FormMessage>
    </Fact>
  );
}
