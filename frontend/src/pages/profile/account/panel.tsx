import type { ComponentProps } from 'react';
import { useT } from '../../../i18n/LanguageProvider';
import { string } from 'yup';

import type { Member } from '../../../session/member';
import { PasswordField } from '../../../ui/PasswordField';

/** What the panel or dialog of a setting is given. */
export interface PanelProps {
  user: Member;
  /** Whether the member has pressed the button. A panel that opens by itself leaves the focus where it is. */
  isPressed: boolean;
  /** Close it; the focus returns to the button that opened it. */
  close: () => void;
  /** Show a result in the row, where a screen reader announces it. The row does not have the messages of the panel. */
  showResult: (result: string | undefined) => void;
}

/** The server alone knows whether it is right. */
export const currentPassword = string().default('').required({ id: 'account.currentPasswordRequired' });

type CurrentPasswordFieldProps = Pick<
  ComponentProps<typeof PasswordField>,
  'name' | 'value' | 'onChange' | 'error' | 'autoFocus'
> & {
  /** For password managers, which store it with the password. */
  email: string;
};

/** The field with which a member proves who they are. */
export function CurrentPasswordField({ email, ...field }: CurrentPasswordFieldProps) {
  const t = useT();
  return (
    <>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...field}
        label={t('account.currentPassword')}
        revealLabel={t('account.showCurrentPassword')}
        autoComplete="current-password"
        required
      />
    </>
  );
}
