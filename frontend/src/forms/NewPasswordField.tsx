import type { ChangeEvent } from 'react';

import { useT } from '../i18n/LanguageProvider';
import { PasswordField } from '../ui/PasswordField';
import { RuleTicks } from '../ui/RuleTicks';
import { checkNewPassword, NEW_PASSWORD_ATTRIBUTES } from './validation/schemas';

interface NewPasswordFieldProps {
  label: string;
  /** The accessible name of the button that shows the password. */
  revealLabel: string;
  name: string;
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  error: string | undefined;
}

/** A field for a new password with its rules, each ticked when met. */
export function NewPasswordField({ value, ...field }: NewPasswordFieldProps) {
  const t = useT();
  const rules = checkNewPassword(value).map(({ label, isMet }) => ({ text: t(label), isMet }));
  return (
    <PasswordField
      {...field}
      value={value}
      hint={<RuleTicks rules={rules} metLabel={t('auth.ruleMet')} />}
      {...NEW_PASSWORD_ATTRIBUTES}
      required
    />
  );
}
