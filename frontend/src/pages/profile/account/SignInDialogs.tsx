import { FormattedMessage, useIntl } from 'react-intl';
import { object } from 'yup';

import { Form } from '../../../forms/Form';
import { NewPasswordField } from '../../../forms/NewPasswordField';
import { useForm } from '../../../forms/useForm';
import { EMAIL_ATTRIBUTES } from '../../../forms/validation/email';
import { email as emailField, newPassword } from '../../../forms/validation/schemas';
import { useT } from '../../../i18n/LanguageProvider';
import { client } from '../../../lib/api/client';
import { CancelEmailChangeDocument, RequestEmailChangeDocument } from '../../../lib/api/generated';
import { useAuth } from '../../../session/AuthProvider';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/Field';
import { currentPassword, CurrentPasswordField, FormDialog, type SettingDialogProps } from './FormDialog';
import * as styles from './FormDialog.module.css';

const passwordSchema = object({ currentPassword, newPassword: newPassword() });

export function PasswordDialog({ user, close }: SettingDialogProps) {
  const t = useT();
  const { changePassword } = useAuth();
  const { form, field } = useForm({
    schema: passwordSchema,
    fallback: 'account.passwordFailed',
    send: async (values) => {
      await changePassword(values);
      close(t('account.passwordChanged'));
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('profile.changePassword')}
      submitId="account.savePassword"
      pendingId="account.saving"
      button="save_password"
      close={close}
    >
      <CurrentPasswordField {...field('currentPassword')} email={user.email} />
      <NewPasswordField
        {...field('newPassword')}
        label={t('account.newPassword')}
        revealLabel={t('account.showNewPassword')}
      />
    </FormDialog>
  );
}

/** Ask for another email or, while one waits for its confirmation, offer to cancel the change. */
export function EmailDialog(props: SettingDialogProps) {
  return props.account.data?.account.pendingEmail ? (
    <PendingDialog {...props} />
  ) : (
    <NewEmailDialog {...props} />
  );
}

const emailSchema = object({ email: emailField(), currentPassword });

function NewEmailDialog({ user, account, close }: SettingDialogProps) {
  const t = useT();
  const { form, field } = useForm({
    schema: emailSchema,
    fallback: 'account.emailFailed',
    send: async (values) => {
      await client.mutate({ mutation: RequestEmailChangeDocument, variables: { input: values } });
      account.refetch();
      close(t('account.emailRequested'));
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('profile.changeEmail')}
      submitId="account.sendLink"
      pendingId="account.sending"
      button="send_email_link"
      close={close}
    >
      <TextField
        {...EMAIL_ATTRIBUTES}
        {...field('email')}
        label={t('account.newEmail')}
        hint={t('account.newEmailHint')}
        autoComplete="email"
      />
      <CurrentPasswordField {...field('currentPassword')} email={user.email} />
    </FormDialog>
  );
}

function PendingDialog({ user: { email }, account, close }: SettingDialogProps) {
  const t = useT();
  const { formatDate } = useIntl();
  const { pendingEmail, pendingEmailExpiresAt } = account.data?.account ?? {};
  const { form } = useForm({
    schema: object(),
    initialValues: {},
    fallback: 'account.cancelFailed',
    send: async () => {
      await client.mutate({ mutation: CancelEmailChangeDocument });
      account.refetch();
      close(t('account.emailKept', { email }));
    },
  });
  return (
    <Dialog
      isPending={form.pending}
      onClose={() => close()}
      title={t('profile.changeEmail')}
      className={styles.dialog}
    >
      <Form
        form={form}
        actions={
          <Button
            type="submit"
            variant="secondary"
            pendingLabel={form.pending && t('account.canceling')}
            data-track="cancel_email_change"
          >
            {t('account.cancelChange')}
          </Button>
        }
      >
        <p>
          <FormattedMessage
            id="account.emailPending"
            values={{
              email: <strong>{pendingEmail}</strong>,
              time: formatDate(pendingEmailExpiresAt ?? undefined, { dateStyle: 'long', timeStyle: 'short' }),
            }}
          />
        </p>
        <p className="muted">{t('account.emailStays', { email })}</p>
      </Form>
    </Dialog>
  );
}
