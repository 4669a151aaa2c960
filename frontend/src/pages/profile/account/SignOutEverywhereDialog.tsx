import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { formFailure } from '../../../api/errors';
import { useAuth } from '../../../session/AuthProvider';
import { Dialog } from '../../../ui/Dialog';
import { FormMessage } from '../../../ui/FormMessage';
import * as styles from './AccountDialog.module.css';
import { FormActions } from './FormActions';
import type { PanelProps } from './panel';
import { useLeave } from './useLeave';

/** Ask before all sessions end. */
export function SignOutEverywhereDialog({ isOpen, close }: PanelProps) {
  const intl = useIntl();
  const { signOutEverywhere } = useAuth();
  const leave = useLeave();
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  async function signOut() {
    setPending(true);
    setError(undefined);
    try {
      await signOutEverywhere();
      leave('account.signedOutEverywhere');
    } catch (failure) {
      setPending(false);
      setError(failure);
    }
  }

  function cancel() {
    setError(undefined);
    close();
  }

  return (
    <Dialog
      open={isOpen}
      onClose={cancel}
      title={<FormattedMessage id="account.signOutEverywhereTitle" />}
      className={styles.dialog}
    >
      <div className={styles.content}>
        <p>
          <FormattedMessage id="account.signOutEverywhereText" />
        </p>
        <FormMessage>{error ? formFailure(error, intl, 'account.signOutFailed') : undefined}</FormMessage>
        <FormActions
          submitId="profile.signOutEverywhere"
          pendingId="account.signingOut"
          button="confirm_sign_out_everywhere"
          pending={isPending}
          onSubmit={() => void signOut()}
          onCancel={cancel}
        />
      </div>
    </Dialog>
  );
}
