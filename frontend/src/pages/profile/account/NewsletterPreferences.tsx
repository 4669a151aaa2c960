import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { boolean, type InferType, object, string } from 'yup';

import { useForm } from '../../../forms/useForm';
import { client } from '../../../api/client';
import {
  type NewsletterPreferencesFieldsFragment,
  UpdateNewsletterPreferencesDocument,
} from '../../../api/generated';
import { QueryBoundary } from '../../../loading/QueryBoundary';
import { Checkbox } from '../../../ui/Checkbox';
import { SelectField } from '../../../ui/SelectField';
import { TextField } from '../../../ui/Field';
import { EditForm } from '../EditForm';
import { singleLineText } from '../../../forms/validation/schemas';
import { useNewsletterPreferencesQuery } from './accountApi';
import type { PanelProps } from './panel';
import * as styles from './panels.module.css';

const AUDIENCES = { sailor: 'account.newsSailors', company: 'account.newsCompanies' } as const;
const AUDIENCE_NAMES = Object.keys(AUDIENCES) as (keyof typeof AUDIENCES)[];

/** The languages of the mails, each in itself. */
const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'cs', label: 'Čeština' },
];

/** Why members leave (newsletter/models/consent.py), with the labels of the page behind the mail links. */
const REASONS = [
  { value: '', labelId: 'account.noReason' },
  { value: 'too-many', labelId: 'account.tooMany' },
  { value: 'not-for-me', labelId: 'account.notForMe' },
  { value: 'not-requested', labelId: 'account.notRequested' },
  { value: 'other', labelId: 'account.otherReason' },
] as const;

/** The most characters of the comment on leaving the newsletter. */
const COMMENT_LIMIT = 500;

const schema = object({
  sailor: boolean().default(false),
  company: boolean().default(false),
  language: string().default('en'),
  pause: string().default(''),
  reason: string().default(''),
  comment: singleLineText({ limit: COMMENT_LIMIT }),
});

/** What the member gets from the newsletter, and when; only for a verified email. */
export function NewsletterPreferences(props: PanelProps) {
  const preferences = useNewsletterPreferencesQuery();
  return (
    <QueryBoundary query={preferences}>
      {(current) =>
        current.isEmailVerified ? (
          <PreferencesForm {...props} current={current} />
        ) : (
          <p className={styles.hint}>
            <FormattedMessage id="account.newsletterUnverified" />
          </p>
        )
      }
    </QueryBoundary>
  );
}

interface PreferencesFormProps extends PanelProps {
  current: NewsletterPreferencesFieldsFragment;
}

function PreferencesForm({ current, close, showResult }: PreferencesFormProps) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const [interests, setInterests] = useState(() =>
    current.interests.filter(({ isChosen }) => isChosen).map(({ id }) => id),
  );
  const { form, values, field, checkbox } = useForm({
    initialValues: toValues(current),
    schema,
    fallback: 'account.newsletterFailed',
    send: async ({ language, pause, reason, comment, ...ticked }) => {
      const audiences = AUDIENCE_NAMES.filter((name) => ticked[name]);
      const isLeaving = audiences.length === 0;
      const input = {
        audiences,
        language,
        pauseDays: isLeaving || pause === '' ? null : Number(pause),
        interests: isLeaving ? null : interests,
        reason: (isLeaving && reason) || null,
        comment: (isLeaving && comment) || null,
      };
      await client.mutate({ mutation: UpdateNewsletterPreferencesDocument, variables: { input } });
      showResult(formatMessage({ id: isLeaving ? 'account.newsletterOff' : 'account.newsletterSaved' }));
      close();
    },
  });
  const isOff = AUDIENCE_NAMES.every((name) => !values[name]);
  const isOn = current.audiences.length > 0;

  return (
    <EditForm
      form={form}
      submitId="account.saveNewsletter"
      pendingId="account.saving"
      button="save_newsletter"
      onCancel={close}
    >
      <fieldset>
        <legend className={styles.legend}>
          <FormattedMessage id="account.newsletterAudiences" />
        </legend>
        {AUDIENCE_NAMES.map((name) => (
          <div key={name}>
            <Checkbox {...checkbox(name)} label={formatMessage({ id: AUDIENCES[name] })} />
            {!values[name] && current.pendingAudiences.includes(name) && (
              <p className={styles.unconfirmed}>
                <FormattedMessage id="account.newsPending" />
              </p>
            )}
          </div>
        ))}
        {/* newsletter/models/consent.py has the same statement and the version of its wording. */}
        {!isOff && (
          <p className={styles.statement}>
            <FormattedMessage id="account.newsletterStatement" />
          </p>
        )}
      </fieldset>
      {!isOff && current.interests.length > 0 && (
        <fieldset>
          <legend className={styles.legend}>
            <FormattedMessage id="account.newsletterInterests" />
          </legend>
          {current.interests.map(({ id, name }) => (
            <Checkbox
              key={id}
              name={`interest-${id}`}
              label={name}
              checked={interests.includes(id)}
              onChange={({ target }) => {
                setInterests((before) =>
                  target.checked ? [...before, id] : before.filter((each) => each !== id),
                );
              }}
            />
          ))}
        </fieldset>
      )}
      {isOff ? (
        isOn && (
          <>
            <p className={styles.hint}>
              <FormattedMessage id="account.newsletterOffHint" />
            </p>
            <SelectField
              {...field('reason')}
              label={formatMessage({ id: 'account.newsletterReason' })}
              options={REASONS.map(({ value, labelId }) => ({
                value,
                label: formatMessage({ id: labelId }),
              }))}
            />
            <TextField
              {...field('comment')}
              label={formatMessage({ id: 'account.newsletterComment' })}
              autoComplete="off"
            />
          </>
        )
      ) : (
        <div className={styles.choices}>
          <SelectField
            {...field('language')}
            label={formatMessage({ id: 'account.newsletterLanguage' })}
            options={LANGUAGES}
          />
          <SelectField
            {...field('pause')}
            label={formatMessage({ id: 'account.newsletterPause' })}
            options={[
              {
                value: '',
                label: current.pausedUntil
                  ? formatMessage(
                      { id: 'account.pausedUntil' },
                      { date: intl.formatDate(current.pausedUntil, { dateStyle: 'long' }) },
                    )
                  : formatMessage({ id: 'account.noPause' }),
              },
              ...(current.pausedUntil
                ? [{ value: '0', label: formatMessage({ id: 'account.resume' }) }]
                : []),
              ...[30, 90].map((days) => ({
                value: String(days),
                label: formatMessage({ id: 'account.pauseDays' }, { days }),
              })),
            ]}
          />
        </div>
      )}
    </EditForm>
  );
}

/**
 * Return the values of the form. A requested audience is not ticked: anybody may have asked for it, and a box that is
 * ticked beforehand is no consent (GDPR recital 32).
 */
function toValues({ audiences, language }: NewsletterPreferencesFieldsFragment): InferType<typeof schema> {
  return {
    sailor: audiences.includes('sailor'),
    company: audiences.includes('company'),
    language,
    pause: '',
    reason: '',
    comment: '',
  };
}
