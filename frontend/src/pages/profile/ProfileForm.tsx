import { type ChangeEvent, useId, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import { Form } from '../../forms/Form';
import { useForm } from '../../forms/useForm';
import { type Member, useAuth } from '../../session/AuthProvider';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { TextField } from '../../ui/TextField';
import { getProfileValues, type ProfileField, profileSchema, toUpdateInput } from './profile.schema';
import { OptionalField } from './OptionalField';
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

  function cancel() {
    if (form.pending) return;
    trackButton('cancel', 'profile');
    onCancel();
  }

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
    <Card as="section" aria-labelledby={headingId} className={styles.card}>
      <h2 id={headingId} className={styles.title}>
        <FormattedMessage id="profile.editTitle" />
      </h2>
      <Form
        form={form}
        actions={
          <div className={styles.actions}>
            <Button
              type="submit"
              pendingLabel={form.pending && formatMessage({ id: 'profile.saving' })}
              onClick={() => trackButton('save_changes', 'profile')}
            >
              <FormattedMessage id="profile.save" />
            </Button>
            <Button variant="secondary" aria-disabled={form.pending || undefined} onClick={cancel}>
              <FormattedMessage id="profile.cancel" />
            </Button>
          </div>
        }
      >
        <div className={styles.fields}>
          <TextField
            {...text('firstName')}
            label={formatMessage({ id: 'profile.firstName' })}
            autoComplete="given-name"
            required
            // eslint-disable-next-line jsx-a11y/no-autofocus -- the form opens where the pressed button was
            autoFocus
          />
          <TextField
            {...text('lastName')}
            label={formatMessage({ id: 'profile.lastName' })}
            autoComplete="family-name"
            required
          />
          {OPTIONAL_FIELD_NAMES.map((name) => (
            <OptionalField key={name} {...optional(name)} />
          ))}
        </div>
      </Form>
    </Card>
  );
}
