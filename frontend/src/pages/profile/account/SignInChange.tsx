import { useMutation } from '@apollo/client/react';
import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { useT } from '../../../i18n/LanguageProvider';
import { object } from 'yup';

import { client } from '../../../lib/api/client';
import { describeError } from '../../../lib/api/errors';
import { CancelEmailChangeDocument, RequestEmailChangeDocument } from '../../../lib/api/generated';
import { NewPasswordField } from '../../../forms/NewPasswordField';
import { useForm } from '../../../forms/useForm';
import { EMAIL_ATTRIBUTES } from '../../../forms/validation/email';
import { email as emailField, newPassword } from '../../../forms/validation/schemas';
import { QueryBoundary } from '../../../ui/QueryBoundary';
import { useAuth } from '../../../session/AuthProvider';
import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/Field';
import { FormMessage } from '../../../ui/FormMessage';
import { EditForm } from '../EditForm';
import { useAccountQuery } from './accountApi';
import { currentPassword, CurrentPasswordField, type PanelProps } from './panel';
import * as styles from './panels.module.css';

const emailSchema = object({ email: emailField(), currentPassword });

/** The form that asks for another email or, while one waits for its confirmation, the button that cancels the change. */
export function EmailChange(props: PanelProps) {
  const query = useAccountQuery();
  const [requested, setRequested] = useState<string>();

  function showRequested(email: string) {
    setRequested(email);
    query.refetch(); // to show when the link expires
  }

  return (
    <QueryBoundary query={query}>
      {({ account: { pendingEmail, pendingEmailExpiresAt } }) => {
        const pending = requested ?? pendingEmail;
        return pending ? (
          <PendingChange {...props} email={pending} expiresAt={pendingEmailExpiresAt} />
        ) : (
          <EmailForm {...props} onRequested={showRequested} />
        );
      }}
    </QueryBoundary>
  );
}

interface PendingChangeProps extends PanelProps {
  /** The address that waits for its confirmation. */
  email: string;
  /** When its link expires; unknown until the server has answered. */
  expiresAt: string | null | undefined;
}

function PendingChange({ user, email, expiresAt, isPressed, close, showResult }: PendingChangeProps) {
  const t = useT();
  const intl = useIntl();
  const [cancelChange, { loading, error }] = useMutation(CancelEmailChangeDocument, {
    client,
    onCompleted: () => {
      showResult(intl.formatMessage({ id: 'account.emailKept' }, { email: user.email }));
      close();
    },
  });
  const notice = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // The focused button may have been removed with the form.
    if (isPressed) notice.current?.focus();
  }, [isPressed]);

  function cancel() {
    void cancelChange().catch(() => undefined);
  }

  return (
    <div ref={notice} tabIndex={-1} className={clsx(styles.panel, styles.pendingChange)}>
      <p>
        <FormattedMessage id="account.emailPending" values={{ email: <strong>{email}</strong> }} />
      </p>
      <p className="muted">
        {expiresAt && (
          <>
            <FormattedMessage
              id="account.emailPendingUntil"
              values={{ time: intl.formatDate(expiresAt, { dateStyle: 'long', timeStyle: 'short' }) }}
            />{' '}
          </>
        )}
        <FormattedMessage id="account.emailStays" values={{ email: user.email }} />
      </p>
      <FormMessage>{error ? describeError(error, intl, 'account.cancelFailed') : undefined}</FormMessage>
      <Button
        variant="secondary"
        pendingLabel={loading && intl.formatMessage({ id: 'account.canceling' })}
        data-track="cancel_email_change"
        onClick={cancel}
      >
        {t('account.cancelChange')}
      </Button>
    </div>
  );
}

interface EmailFormProps extends PanelProps {
  onRequested: (email: string) => void;
}

function EmailForm({ user, close, showResult, onRequested }: EmailFormProps) {
  const t = useT();
  const { form, field } = useForm({
    schema: emailSchema,
    fallback: 'account.emailFailed',
    send: async (values) => {
      await client.mutate({ mutation: RequestEmailChangeDocument, variables: { input: values } });
      showResult(t('account.emailRequested', { email: values.email }));
      onRequested(values.email);
    },
  });

  return (
    <EditForm
      form={form}
      submitId="account.sendLink"
      pendingId="account.sending"
      button="send_email_link"
      onCancel={close}
    >
      <TextField
        {...EMAIL_ATTRIBUTES}
        {...field('email')}
        label={t('account.newEmail')}
        hint={t('account.newEmailHint')}
        autoComplete="email"
        // eslint-disable-next-line jsx-a11y/no-autofocus -- the form opens below the pressed button
        autoFocus
      />
      <CurrentPasswordField {...field('currentPassword')} email={user.email} />
    </EditForm>
  );
}

const passwordSchema = object({ currentPassword, newPassword: newPassword() });

/** The form that changes the password. */
export function PasswordChange({ user, close, showResult }: PanelProps) {
  const t = useT();
  const { changePassword } = useAuth();
  const { form, field } = useForm({
    schema: passwordSchema,
    fallback: 'account.passwordFailed',
    send: async (values) => {
      await changePassword(values);
      showResult(t('account.passwordChanged'));
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
        label={t('account.newPassword')}
        revealLabel={t('account.showNewPassword')}
      />
    </EditForm>
  );
}
