import { FormattedMessage } from 'react-intl';
import { boolean, object, string } from 'yup';

import { useForm } from '../../../forms/useForm';
import { useT } from '../../../i18n/LanguageProvider';
import { client } from '../../../lib/api/client';
import { PersonalDataDocument } from '../../../lib/api/generated';
import { useAuth } from '../../../session/AuthProvider';
import { useGoHome } from '../../../shell/SignOutButton';
import { Checkbox } from '../../../ui/Checkbox';
import { SelectField } from '../../../ui/SelectField';
import { CurrentPasswordField, currentPassword, FormDialog, type SettingDialogProps } from './FormDialog';
import { EmailDialog, PasswordDialog } from './SignInDialogs';

const DIALOGS = {
  password: PasswordDialog,
  email: EmailDialog,
  data: DataDialog,
  sessions: SessionsDialog,
  deletion: DeletionDialog,
};

export type SettingName = keyof typeof DIALOGS;

/** The dialog of a setting. */
export default function AccountDialog({ name, ...props }: SettingDialogProps & { name: SettingName }) {
  const SettingDialog = DIALOGS[name];
  return <SettingDialog {...props} />;
}

const FILE_TYPES = { html: 'text/html', json: 'application/json' } as const;

const dataSchema = object({ format: string<keyof typeof FILE_TYPES>().default('html') });

/** Download everything stored about the member, to read or for another service. */
function DataDialog({ close }: SettingDialogProps) {
  const t = useT();
  const { form, field } = useForm({
    schema: dataSchema,
    fallback: 'account.downloadFailed',
    send: async ({ format }) => {
      const { data } = await client.query({ query: PersonalDataDocument });
      // Without a message, so that the form shows its own.
      if (!data) throw new Error();
      saveFile(`sailing-account.${format}`, data.personalData[format], FILE_TYPES[format]);
      close(t('account.downloaded'));
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('profile.data')}
      text={t('account.downloadNote')}
      submitId="account.download"
      pendingId="account.downloading"
      button="save_data"
      close={close}
    >
      <SelectField
        {...field('format')}
        label={t('account.downloadFormat')}
        options={[
          { value: 'html', label: t('account.downloadHtml') },
          { value: 'json', label: t('account.downloadJson') },
        ]}
      />
    </FormDialog>
  );
}

const REVOKE_AFTER_MS = 60_000;

/** Let the browser save a text as a file. */
function saveFile(name: string, content: string, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // Safari reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** Ask before all sessions end. */
function SessionsDialog({ close }: SettingDialogProps) {
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
    <FormDialog
      form={form}
      title={t('account.signOutEverywhereTitle')}
      text={t('account.signOutEverywhereText')}
      submitId="profile.signOutEverywhere"
      pendingId="account.signingOut"
      button="confirm_sign_out_everywhere"
      close={close}
    />
  );
}

const deletionSchema = object({ currentPassword, keepNewsletter: boolean().default(false) });

/** Say what is lost, and delete the account. */
function DeletionDialog({ user: { email, isEmailVerified }, account, close }: SettingDialogProps) {
  const t = useT();
  const { deleteAccount } = useAuth();
  const goHome = useGoHome();
  const { form, field, checkbox } = useForm({
    schema: deletionSchema,
    // The subscriptions of an address that is not verified may be somebody else's.
    initialValues: { currentPassword: '', keepNewsletter: !isEmailVerified },
    fallback: 'account.deleteFailed',
    send: async (values) => {
      await deleteAccount(values);
      goHome('account.deleted');
    },
  });
  // Also shown while it is not known whether there is a subscription.
  const asksForNewsletter = isEmailVerified && account.data?.newsletterSettingsUrl !== null;
  return (
    <FormDialog
      form={form}
      title={t('account.deleteTitle')}
      text={<FormattedMessage id="account.deleteConsequence" values={{ email: <strong>{email}</strong> }} />}
      submitId="account.deleteForGood"
      pendingId="account.deleting"
      button="confirm_delete_account"
      isDangerous
      close={close}
    >
      {asksForNewsletter && <Checkbox {...checkbox('keepNewsletter')} label={t('account.keepNewsletter')} />}
      <CurrentPasswordField {...field('currentPassword')} email={email} />
    </FormDialog>
  );
}
