import { FormattedMessage, useIntl } from 'react-intl';

import { Form } from '../../../forms/Form';
import { useForm } from '../../../forms/useForm';
import { QueryBoundary } from '../../../loading/QueryBoundary';
import { type Member, useAuth } from '../../../session/AuthProvider';
import { Checkbox } from '../../../ui/Checkbox';
import { Dialog } from '../../../ui/Dialog';
import { deleteSchema } from './account.schema';
import { useNewsletterPreferencesQuery } from './accountApi';
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
        {user.isEmailVerified ? (
          <DeleteFormOfOwner user={user} onCancel={close} />
        ) : (
          // The subscriptions of an address that is not verified may be somebody else's.
          <DeleteForm user={user} isSubscribed={false} keepNewsletter onCancel={close} />
        )}
      </div>
    </Dialog>
  );
}

interface FormProps {
  user: Member;
  onCancel: () => void;
}

/** The form for a verified email: whether it gets the newsletter must be known before anything is deleted. */
function DeleteFormOfOwner(props: FormProps) {
  const preferences = useNewsletterPreferencesQuery();
  return (
    <QueryBoundary query={preferences}>
      {({ audiences }) => (
        <DeleteForm {...props} isSubscribed={audiences.length > 0} keepNewsletter={false} />
      )}
    </QueryBoundary>
  );
}

interface DeleteFormProps extends FormProps {
  /** Whether the member gets the newsletter, and so may keep it. */
  isSubscribed: boolean;
  keepNewsletter: boolean;
}

function DeleteForm({ user, isSubscribed, keepNewsletter, onCancel }: DeleteFormProps) {
  const { formatMessage } = useIntl();
  const { deleteAccount } = useAuth();
  const leave = useLeave();
  const { form, field, checkbox } = useForm({
    initialValues: { currentPassword: '', keepNewsletter },
    schema: deleteSchema,
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
      {isSubscribed && (
        <Checkbox {...checkbox('keepNewsletter')} label={formatMessage({ id: 'account.keepNewsletter' })} />
      )}
      <CurrentPasswordField {...field('currentPassword')} email={user.email} />
    </Form>
  );
}
