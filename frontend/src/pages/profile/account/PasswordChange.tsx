import { useIntl } from 'react-intl';

import { Form } from '../../../forms/Form';
import { NewPasswordField } from '../../../forms/NewPasswordField';
import { useForm } from '../../../forms/useForm';
import { useAuth } from '../../../session/AuthProvider';
import { FormActions } from '../FormActions';
import { passwordSchema } from './account.schema';
import { CurrentPasswordField, type PanelProps } from './panel';

/** The form that changes the password. */
export function PasswordChange({ user, close, showResult }: PanelProps) {
  const { formatMessage } = useIntl();
  const { changePassword } = useAuth();
  const { form, field } = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    schema: passwordSchema,
    fallback: 'account.passwordFailed',
    send: async (values) => {
      await changePassword(values);
      showResult(formatMessage({ id: 'account.passwordChanged' }));
      close();
    },
  });

  return (
    <Form
      form={form}
      actions={
        <FormActions
          submitId="account.savePassword"
          pendingId="account.saving"
          button="save_password"
          pending={form.pending}
          onCancel={close}
        />
      }
    >
      <CurrentPasswordField
        {...field('currentPassword')}
        email={user.email}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- the form opens below the pressed button
        autoFocus
      />
      <NewPasswordField
        {...field('newPassword')}
        label={formatMessage({ id: 'account.newPassword' })}
        revealLabel={formatMessage({ id: 'account.showNewPassword' })}
      />
    </Form>
  );
}
