import type { ChangeEvent } from 'react';
import { useIntl } from 'react-intl';

import { PasswordField } from '../ui/PasswordField';
import { RuleTicks } from '../ui/RuleTicks';
import { NEW_PASSWORD_ATTRIBUTES, PASSWORD_RULES } from './validation/schemas';

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
  const { formatMessage } = useIntl();
  const rules = PASSWORD_RULES.map(({ label, isMet }) => ({
    text: formatMessage({ id: label }),
    isMet: isMet(value),
  }));
  return (
    <PasswordField
      {...field}
      value={value}
      hint={<RuleTicks rules={rules} metLabel={formatMessage({ id: 'auth.ruleMet' })} />}
      {...NEW_PASSWORD_ATTRIBUTES}
      required
    />
  );
}
