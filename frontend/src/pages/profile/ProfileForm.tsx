import { clsx } from 'clsx';
import { type ChangeEvent, type InputHTMLAttributes, useId, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { object } from 'yup';

import type { UpdateProfileInput } from '../../lib/api/generated';
import { trackButton } from '../../consent/track';
import { useForm } from '../../forms/useForm';
import { names, singleLineText } from '../../forms/validation/schemas';
import { useAuth } from '../../session/AuthProvider';
import type { Member } from '../../session/member';
import { Card } from '../../ui/Card';
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
  const { formatMessage } = useIntl();
  const headingId = useId();
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

  /** Return the props of an optional field. A blank one is only sent once the member has pressed Remove. */
  function optional(name: OptionalFieldName) {
    const { labelId, autoComplete, type } = OPTIONAL_FIELDS[name];
    const saved = user[name];
    const isRemoved = removed.includes(name);
    const { onChange, ...props } = text(name);
    const keep = () => setRemoved((names) => names.filter((other) => other !== name));

    function toggleRemoved() {
      if (form.pending) return;
      trackButton(isRemoved ? 'restore' : 'remove', 'profile', name);
      if (isRemoved) keep();
      else setRemoved((names) => [...names, name]);
      setValue(name, isRemoved ? saved : '');
    }

    return {
      ...props,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        keep();
        onChange(event);
      },
      autoComplete,
      ...(type && { type }),
      label: formatMessage({ id: labelId }),
      saved,
      isRemoved,
      onToggleRemoved: toggleRemoved,
    };
  }

  return (
    <Card element="section" aria-labelledby={headingId} className={styles.card}>
      <h2 id={headingId} className={styles.title}>
        <FormattedMessage id="profile.editTitle" />
      </h2>
      <EditForm
        form={form}
        submitId="profile.save"
        pendingId="profile.saving"
        button="save_changes"
        onCancel={onCancel}
      >
        <div className={styles.fields}>
          <TextField
            {...text('firstName')}
            label={formatMessage({ id: 'auth.firstName' })}
            autoComplete="given-name"
            required
            // eslint-disable-next-line jsx-a11y/no-autofocus -- the form opens where the pressed button was
            autoFocus
          />
          <TextField
            {...text('lastName')}
            label={formatMessage({ id: 'auth.lastName' })}
            autoComplete="family-name"
            required
          />
          {OPTIONAL_FIELD_NAMES.map((name) => (
            <OptionalField key={name} {...optional(name)} />
          ))}
        </div>
      </EditForm>
    </Card>
  );
}

interface OptionalFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error: string | undefined;
  value: string;
  /** The stored value; blank if there is none. */
  saved: string;
  /** Whether saving clears the stored value. */
  isRemoved: boolean;
  /** Called to remove the stored value, and to undo that. */
  onToggleRemoved: () => void;
}

/** A text field whose stored value can be removed. Left blank without that, the value stays, and a hint says so. */
function OptionalField({ label, error, saved, isRemoved, onToggleRemoved, ...input }: OptionalFieldProps) {
  const { formatMessage } = useIntl();
  const isKept = saved !== '' && input.value.trim() === '' && !isRemoved;
  return (
    <Field
      label={formatMessage({ id: 'profile.optional' }, { label })}
      error={error}
      hint={
        // A live region must exist before its text.
        <span aria-live="polite" className={styles.hint}>
          {isRemoved && <FormattedMessage id="profile.removed" />}
          {isKept && <FormattedMessage id="profile.kept" values={{ value: saved }} />}
        </span>
      }
    >
      {({ className, ...control }) => (
        <div className={styles.frame}>
          <input {...input} {...control} className={clsx(className, saved && styles.input)} />
          {saved && (
            <button
              type="button"
              className={styles.button}
              aria-label={formatMessage(
                { id: isRemoved ? 'profile.restoreField' : 'profile.removeField' },
                { label },
              )}
              onClick={onToggleRemoved}
            >
              <FormattedMessage id={isRemoved ? 'profile.restore' : 'profile.remove'} />
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
