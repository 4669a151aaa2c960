import type { ComponentProps, ReactNode } from 'react';
import { string } from 'yup';

import { useT } from '../../../i18n/LanguageProvider';
import type { AccountQuery } from '../../../lib/api/generated';
import type { QueryResult } from '../../../lib/query';
import type { Member } from '../../../session/member';
import { Dialog } from '../../../ui/Dialog';
import { PasswordField } from '../../../ui/PasswordField';
import { EditForm } from '../EditForm';
import * as styles from './FormDialog.module.css';

/** What the dialog of a setting is given. */
export interface SettingDialogProps {
  user: Member;
  account: Pick<QueryResult<AccountQuery>, 'data' | 'refetch'>;
  /** Close the dialog, and show a result in the row of the setting. */
  close: (result?: string) => void;
}

interface FormDialogProps extends Omit<ComponentProps<typeof EditForm>, 'onCancel'> {
  title: string;
  /** What there is to know before. */
  text?: ReactNode;
  close: () => void;
}

/** A form in a dialog. */
export function FormDialog({ title, text, close, ...form }: FormDialogProps) {
  return (
    <Dialog isPending={form.form.pending} onClose={() => close()} title={title} className={styles.dialog}>
      <div className="stack">
        {text && <p>{text}</p>}
        <EditForm {...form} onCancel={() => close()} />
      </div>
    </Dialog>
  );
}

/** The server alone knows whether it is right. */
export const currentPassword = string().default('').required({ id: 'account.currentPasswordRequired' });

type CurrentPasswordFieldProps = Pick<
  ComponentProps<typeof PasswordField>,
  'name' | 'value' | 'onChange' | 'error'
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
