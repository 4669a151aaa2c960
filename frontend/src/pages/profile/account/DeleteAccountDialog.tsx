import { FormattedMessage, useIntl } from 'react-intl';

import { Form } from '../../../forms/Form';
import { useForm } from '../../../forms/useForm';
import { type Member, useAuth } from '../../../session/AuthProvider';
import { Checkbox } from '../../../ui/Checkbox';
import { Dialog } from '../../../ui/Dialog';
import { deleteSchema } from './account.schema';
import * as styles from './AccountDialog.module.css';
import { CurrentPasswordField } from './CurrentPasswordField';
import { FormActions } from './FormActions';
import type { PanelProps } from './panel';
import { useLeave } from './useLeave';

/** Say what is lost, and delete the account. */
export function DeleteAccountDialog({ isOpen, close, user }: PanelProps) {
  return (
    <Dialog
      open={isOpen}
      onClose={close}
      title={<FormattedMessage id="account.deleteTitle" />}
      className={styles.dialog}
    >
      <div className={styles.content}>
        <p>
          <FormattedMessage
            id="account.deleteConsequence"
            values={{ email: <strong>{user.email}</strong> }}
          />
        </p>
        <DeleteForm user={user} onCancel={close} />
      </div>
    </Dialog>
  );
}

function DeleteForm({ user, onCancel }: { user: Member; onCancel: () => void }) {
  const { formatMessage } = useIntl();
  const { deleteAccount } = useAuth();
  const leave = useLeave();
  const { form, field, checkbox } = useForm({
    // The subscriptions of an address that is not verified may be somebody else's.
    initialValues: { currentPassword: '', keepNewsletter: !user.isEmailVerified },
    schema: deleteSchema,
    limits: {},
    fallback: 'account.deleteFailed',
    send: async (values) => {
      await deleteAccount(values);
      leave('account.deleted');
    },
  });

  return (
    <Form
      form={form}
      actions={
        <FormActions
          submitId="account.deleteForGood"
          pendingId="account.deleting"
          button="confirm_delete_account"
          pending={form.pending}
          isDangerous
          onCancel={onCancel}
        />
      }
    >
      {user.isEmailVerified && (
        <Checkbox {...checkbox('keepNewsletter')} label={formatMessage({ id: 'account.keepNewsletter' })} />
      )}
      <CurrentPasswordField {...field('currentPassword')} email={user.email} />
    </Form>
  );
}
