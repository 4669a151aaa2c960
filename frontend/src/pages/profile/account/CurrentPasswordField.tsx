import { type ComponentProps } from 'react';
import { useIntl } from 'react-intl';

import { PasswordField } from '../../../ui/PasswordField';

type CurrentPasswordFieldProps = Pick<
  ComponentProps<typeof PasswordField>,
  'name' | 'value' | 'onChange' | 'error' | 'readOnly' | 'autoFocus'
> & {
  /** For password managers, which store it with the password. */
  email: string;
};

/** The field with which a member proves who they are. */
export function CurrentPasswordField({ email, ...field }: CurrentPasswordFieldProps) {
  const { formatMessage } = useIntl();
  return (
    <>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...field}
        label={formatMessage({ id: 'account.currentPassword' })}
        revealLabel={formatMessage({ id: 'account.showCurrentPassword' })}
        autoComplete="current-password"
        required
      />
    </>
  );
}
