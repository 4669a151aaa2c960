import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { useT } from '../../i18n/LanguageProvider';
import { Form, type FormState } from '../../forms/Form';
import type { MessageId } from '../../i18n/catalogues';
import { Button } from '../../ui/Button';
import * as styles from './EditForm.module.css';

interface EditFormProps {
  form: FormState;
  /** The text of the button that submits. */
  submitId: MessageId;
  /** Its text while the request is pending. */
  pendingId: MessageId;
  /** Its name in analytics events. */
  button: string;
  /** Whether the action cannot be undone. */
  isDangerous?: boolean;
  onCancel: () => void;
  /** The fields; a question has none. */
  children?: ReactNode;
}

/** A form of the profile, with a button that submits it and one that cancels. */
export function EditForm({
  form,
  submitId,
  pendingId,
  button,
  isDangerous = false,
  onCancel,
  children,
}: EditFormProps) {
  const t = useT();
  const { pending } = form;

  function cancel() {
    if (!pending) onCancel();
  }

  return (
    <Form
      form={form}
      actions={
        <div className={clsx('wrap', styles.actions)}>
          <Button
            type="submit"
            className={isDangerous ? styles.dangerous : undefined}
            pendingLabel={pending && t(pendingId)}
            data-track={button}
          >
            {t(submitId)}
          </Button>
          <Button
            variant="secondary"
            aria-disabled={pending || undefined}
            data-track="cancel"
            onClick={cancel}
          >
            {t('profile.cancel')}
          </Button>
        </div>
      }
    >
      {children}
    </Form>
  );
}
