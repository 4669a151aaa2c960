import { useIntl } from 'react-intl';
import { object } from 'yup';

import { NewPasswordField } from '../../../forms/NewPasswordField';
import { useForm } from '../../../forms/useForm';
import { useAuth } from '../../../session/AuthProvider';
import { EditForm } from '../EditForm';
import { newPassword } from '../../../forms/validation/schemas';
import { CurrentPasswordField, currentPassword, type PanelProps } from './panel';

const schema = object({ currentPassword, newPassword: newPassword() });

/** The form that changes the password. */
export function PasswordChange({ user, close, showResult }: PanelProps) {
  const { formatMessage } = useIntl();
  const { changePassword } = useAuth();
  const { form, field } = useForm({
    schema,
    fallback: 'account.passwordFailed',
    send: async (values) => {
      await changePassword(values);
      showResult(formatMessage({ id: 'account.passwordChanged' }));
      close();
    },
  });

  return (
    <EditForm
      form={form}
      submitId="account.savePassword"
      pendingId="account.saving"
      button="save_password"
      onCancel={close}
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
    </EditForm>
  );
}
