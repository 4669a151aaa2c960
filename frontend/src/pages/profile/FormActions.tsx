import { clsx } from 'clsx';
import { FormattedMessage, useIntl } from 'react-intl';

import type { ButtonName } from '../../consent/events';
import { trackButton } from '../../consent/track';
import type { MessageId } from '../../i18n/catalogues';
import { Button } from '../../ui/Button';
import * as styles from './FormActions.module.css';

interface FormActionsProps {
  /** The text of the button that submits. */
  submitId: MessageId;
  /** Its text while the request is pending. */
  pendingId: MessageId;
  /** Its name in analytics events. */
  button: ButtonName;
  pending: boolean;
  /** Whether the action cannot be undone. */
  isDangerous?: boolean;
  /** Called on a press; left out in a form, which the button submits. */
  onSubmit?: () => void;
  onCancel: () => void;
}

/** The two buttons below a form or a question. */
export function FormActions({
  submitId,
  pendingId,
  button,
  pending,
  isDangerous = false,
  onSubmit,
  onCancel,
}: FormActionsProps) {
  const { formatMessage } = useIntl();

  function submit() {
    trackButton(button, 'profile');
    onSubmit?.();
  }

  function cancel() {
    if (pending) return;
    trackButton('cancel', 'profile');
    onCancel();
  }

  return (
    <div className={styles.actions}>
      <Button
        type={onSubmit ? 'button' : 'submit'}
        className={clsx(isDangerous && styles.dangerous)}
        pendingLabel={pending && formatMessage({ id: pendingId })}
        onClick={submit}
      >
        <FormattedMessage id={submitId} />
      </Button>
      <Button variant="secondary" aria-disabled={pending || undefined} onClick={cancel}>
        <FormattedMessage id="profile.cancel" />
      </Button>
    </div>
  );
}
