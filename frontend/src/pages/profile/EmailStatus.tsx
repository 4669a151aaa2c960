import { MailWarning, ShieldCheck } from 'lucide';
import { useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { track } from '../../analytics/track';
import { errorMessage, serverErrors } from '../../graphql/errors';
import { type Member, useAuth } from '../../session/AuthProvider';
import { Button } from '../../ui/Button';
import { FormMessage } from '../../ui/FormMessage';
import * as styles from './EmailStatus.module.css';
import { Fact } from './Fact';

/** What came of asking for the verification mail. */
type Outcome =
  { said: 'profile.resent' | 'profile.alreadyVerified' | 'profile.resendPause' } | { error: unknown };

/** Whether the email is verified, and the way to another mail that asks for it (spec section 2, Profile). */
export function EmailStatus({ user }: { user: Member }) {
  const intl = useIntl();
  const { resendVerification } = useAuth();
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const status = useRef<HTMLParagraphElement>(null);

  async function resend() {
    track('button_click', { button: 'resend_verification', location: 'profile' });
    setPending(true);
    setOutcome(undefined);
    try {
      const isOnItsWay = await resendVerification();
      setOutcome({ said: isOnItsWay ? 'profile.resent' : 'profile.alreadyVerified' });
      // The button, which has the focus, is about to go.
      if (!isOnItsWay) status.current?.focus();
    } catch (error) {
      // The server only says that it was too often; here it is known what for.
      const isPause = serverErrors(error)[0]?.extensions?.code === 'RATE_LIMITED';
      setOutcome(isPause ? { said: 'profile.resendPause' } : { error });
    } finally {
      setPending(false);
    }
  }

  return (
    <Fact icon={user.isEmailVerified ? ShieldCheck : MailWarning} labelId="profile.emailStatus">
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
      {/* Stands there before its text, so that the text is announced. */}
      <p ref={status} role="status" tabIndex={-1} className={styles.said}>
        {outcome && 'said' in outcome && (
          <FormattedMessage id={outcome.said} values={{ email: user.email }} />
        )}
      </p>
      <FormMessage>
        {outcome && 'error' in outcome
          ? errorMessage(outcome.error, intl, 'profile.resendFailed')
          : undefined}
      </FormMessage>
    </Fact>
  );
}
