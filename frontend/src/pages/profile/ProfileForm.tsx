import { clsx } from 'clsx';
import { type InputHTMLAttributes, useRef, useState } from 'react';
import { useT } from '../../i18n/LanguageProvider';
import { object } from 'yup';

import type { UpdateProfileInput } from '../../lib/api/generated';
import { useForm } from '../../forms/useForm';
import { names, singleLineText } from '../../forms/validation/schemas';
import { useAuth } from '../../session/AuthProvider';
import type { Member } from '../../session/member';
import { Field, TextField } from '../../ui/Field';
import { EditForm } from './EditForm';
import { OPTIONAL_FIELD_NAMES, OPTIONAL_FIELDS, type OptionalFieldName } from './profileFields';
import * as styles from './ProfileForm.module.css';

interface ProfileFormProps {
  user: Member;
  onSaved: () => void;
  onCancel: () => void;
}

/** The edit form of the profile (spec section 2, Profile). */
export default function ProfileForm({ user, onSaved, onCancel }: ProfileFormProps) {
  const t = useT();
  const { updateProfile } = useAuth();
  const [removed, setRemoved] = useState<readonly OptionalFieldName[]>([]);
  const { form, setValue, field } = useForm({
    initialValues: getProfileValues(user),
    schema: profileSchema,
    fallback: 'profile.saveFailed',
    send: async (changed) => {
      await updateProfile(toUpdateInput(changed, removed));
      onSaved();
    },
  });

  // Read-only while saving: the form disappears with what is typed then.
  const text = (name: ProfileField) => ({ ...field(name), readOnly: form.pending });

  function remove(name: OptionalFieldName) {
    if (form.pending) return;
    setRemoved([...removed, name]);
    setValue(name, '');
  }

  return (
    <EditForm
      form={form}
      submitId="profile.save"
      pendingId="profile.saving"
      button="save_changes"
      onCancel={onCancel}
    >
      <div className={clsx('stack', styles.fields)}>
        <TextField
          {...text('firstName')}
          label={t('auth.firstName')}
          autoComplete="given-name"
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens where the pressed button was
          autoFocus
        />
        <TextField {...text('lastName')} label={t('auth.lastName')} autoComplete="family-name" required />
        {OPTIONAL_FIELD_NAMES.map((name) => (
          <OptionalField
            key={name}
            {...text(name)}
            label={t(OPTIONAL_FIELDS[name].labelId)}
            autoComplete={OPTIONAL_FIELDS[name].autoComplete}
            type={OPTIONAL_FIELDS[name].type}
            onRemove={user[name] && !removed.includes(name) ? () => remove(name) : undefined}
          />
        ))}
      </div>
    </EditForm>
  );
}

interface OptionalFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error: string | undefined;
  /** Called to clear the stored value; undefined if there is none. */
  onRemove: (() => void) | undefined;
}

/** A text field whose stored value can be removed. Left blank without that, the value stays (spec section 3). */
function OptionalField({ label, error, onRemove, ...input }: OptionalFieldProps) {
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  return (
    <Field label={t('profile.optional', { label })} error={error}>
      {({ className, ...control }) => (
        <div className={styles.frame}>
          <input {...input} {...control} ref={field} className={clsx(className, onRemove && styles.input)} />
          {onRemove && (
            <button
              type="button"
              className={styles.button}
              data-track="remove"
              data-track-item={input.name}
              aria-label={t('profile.removeField', { label })}
              onClick={() => {
                field.current?.focus(); // the pressed button disappears
                onRemove();
              }}
            >
              {t('profile.remove')}
            </button>
          )}
        </div>
      )}
    </Field>
  );
}

type ProfileField = 'firstName' | 'lastName' | OptionalFieldName;
export type ProfileValues = Record<ProfileField, string>;

/** Spec section 5, Profile edit. */
const PHONE = /^\+?[0-9 ()-]{10,}$/;

/** The rules of spec section 5, Profile edit. */
export const profileSchema = object({
  ...names,
  ...mapOptionalFields((name) => singleLineText({ limit: OPTIONAL_FIELDS[name].limit })),
  phone: singleLineText({
    limit: OPTIONAL_FIELDS.phone.limit,
    shape: { pattern: PHONE, broken: 'profile.phoneInvalid' },
  }),
});

/** Return the values of the form for a member. */
function getProfileValues(user: ProfileValues): ProfileValues {
  return {
    firstName: user.firstName,
    lastName: user.lastName,
    ...mapOptionalFields((name) => user[name]),
  };
}

/**
 * Return what is sent: the values that are not blank (spec section 3, Profile update input), and a blank value for each
 * field that the member removes.
 */
function toUpdateInput(values: ProfileValues, removed: readonly OptionalFieldName[]): UpdateProfileInput {
  const isSent = ([name, value]: [string, string]) =>
    value !== '' || removed.some((removedName) => removedName === name);
  return Object.fromEntries(Object.entries(values).filter(isSent));
}

function mapOptionalFields<Value>(toValue: (name: OptionalFieldName) => Value) {
  return Object.fromEntries(OPTIONAL_FIELD_NAMES.map((name) => [name, toValue(name)])) as Record<
    OptionalFieldName,
    Value
  >;
}
