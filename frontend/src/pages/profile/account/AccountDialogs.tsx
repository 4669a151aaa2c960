import { useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { useT } from '../../../i18n/LanguageProvider';
import { useNavigate } from 'react-router-dom';
import { boolean, object } from 'yup';

import { clearReadNotifications } from '../../../features/notifications/notification';
import { useForm } from '../../../forms/useForm';
import type { MessageId } from '../../../i18n/catalogues';
import { QueryBoundary } from '../../../ui/QueryBoundary';
import { useAuth } from '../../../session/AuthProvider';
import type { Member } from '../../../session/member';
import { useToast } from '../../../shell/ToastProvider';
import { Checkbox } from '../../../ui/Checkbox';
import { Dialog } from '../../../ui/Dialog';
import { EditForm } from '../EditForm';
import { useAccountQuery } from './accountApi';
import { CurrentPasswordField, currentPassword, type PanelProps } from './panel';
import * as styles from './panels.module.css';

/** Ask before all sessions end. */
export function SignOutEverywhereDialog({ close }: PanelProps) {
  const t = useT();
  const { signOutEverywhere } = useAuth();
  const goHome = useGoHome();
  const { form } = useForm({
    schema: object(),
    initialValues: {},
    fallback: 'account.signOutFailed',
    send: async () => {
      await signOutEverywhere();
      goHome('account.signedOutEverywhere');
    },
  });

  return (
    <Dialog
      isPending={form.pending}
      onClose={close}
      title={t('account.signOutEverywhereTitle')}
      className={styles.dialog}
    >
      <div className={styles.question}>
        <p>{t('account.signOutEverywhereText')}</p>
        <EditForm
          form={form}
          submitId="profile.signOutEverywhere"
          pendingId="account.signingOut"
          button="confirm_sign_out_everywhere"
          onCancel={close}
        />
      </div>
    </Dialog>
  );
}

/** Say what is lost, and delete the account. */
export function DeleteAccountDialog({ close, user }: PanelProps) {
  const t = useT();
  const [isPending, setPending] = useState(false);
  const props = { user, setPending, onCancel: close };
  return (
    <Dialog isPending={isPending} onClose={close} title={t('account.deleteTitle')} className={styles.dialog}>
      <div className={styles.question}>
        <p>
          <FormattedMessage
            id="account.deleteConsequence"
            values={{ email: <strong>{user.email}</strong> }}
          />
        </p>
        {user.isEmailVerified ? (
          <DeleteFormOfOwner {...props} />
        ) : (
          // The subscriptions of an address that is not verified may be somebody else's.
          <DeleteForm {...props} isSubscribed={false} keepNewsletter />
        )}
      </div>
    </Dialog>
  );
}

interface FormProps {
  user: Member;
  /** Called when the request starts, and when it ends. */
  setPending: (isPending: boolean) => void;
  onCancel: () => void;
}

/** The form for a verified email: whether it gets the newsletter must be known before anything is deleted. */
function DeleteFormOfOwner(props: FormProps) {
  const account = useAccountQuery();
  return (
    <QueryBoundary query={account}>
      {({ newsletterSettingsUrl }) => (
        <DeleteForm {...props} isSubscribed={Boolean(newsletterSettingsUrl)} keepNewsletter={false} />
      )}
    </QueryBoundary>
  );
}

interface DeleteFormProps extends FormProps {
  /** Whether the member gets the newsletter, and so may keep it. */
  isSubscribed: boolean;
  keepNewsletter: boolean;
}

const schema = object({ currentPassword, keepNewsletter: boolean().default(false) });

function DeleteForm({ user, isSubscribed, keepNewsletter, setPending, onCancel }: DeleteFormProps) {
  const t = useT();
  const { deleteAccount } = useAuth();
  const goHome = useGoHome();
  const { form, field, checkbox } = useForm({
    initialValues: { currentPassword: '', keepNewsletter },
    schema,
    fallback: 'account.deleteFailed',
    send: async (values) => {
      setPending(true);
      try {
        await deleteAccount(values);
      } finally {
        setPending(false);
      }
      goHome('account.deleted');
    },
  });

  return (
    <EditForm
      form={form}
      submitId="account.deleteForGood"
      pendingId="account.deleting"
      button="confirm_delete_account"
      isDangerous
      onCancel={onCancel}
    >
      {isSubscribed && <Checkbox {...checkbox('keepNewsletter')} label={t('account.keepNewsletter')} />}
      <CurrentPasswordField {...field('currentPassword')} email={user.email} />
    </EditForm>
  );
}

/** Return the function that goes to `/` once the session has ended, and says why in a toast. */
function useGoHome(): (messageId: MessageId) => void {
  const t = useT();
  const { alert } = useToast();
  const navigate = useNavigate();
  return (messageId) => {
    clearReadNotifications();
    alert(t(messageId));
    void navigate('/', { replace: true });
  };
}
