import { useFormik } from 'formik';
import {
  type ChangeEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useState,
} from 'react';
import { useIntl } from 'react-intl';

import { track } from '../../analytics/track';
import type { MessageId } from '../../i18n/catalogues';
import { EMAIL_LIMIT } from '../../forms/validation/email';
import { fillTime } from './fillTime';
import type { Source } from './source';
import { type Refusal, subscribe } from './subscribe';
import { Welcome } from './Welcome';
import { subscriptionSchema, type SubscriptionValues } from './subscription.schema';

/** What the form tells the one who runs it. */
export interface SubscriptionRun {
  change: (event: ChangeEvent<HTMLFormElement>) => void;
  submit: () => void;
}

/** What there is to show of a form that has been submitted. */
export interface SubscriptionState {
  /** How often it has been submitted. */
  attempt: number;
  pending: boolean;
  emailError?: string | undefined;
  formError?: string | undefined;
  /** Whether the form could not come to life. */
  unreachable?: boolean;
}

export interface RunnerProps {
  ref: Ref<SubscriptionRun>;
  initialValues: SubscriptionValues;
  shownAt: RefObject<number>;
  source: Source | null;
  onStateChange: (state: SubscriptionState) => void;
  onSubscribed: (welcome: ReactNode) => void;
}

/**
 * Runs the subscription form: follows its values, validates and sends them, tells the form what to show.
 *
 * Draws nothing, because it comes after the fields (see SubscriptionForm). Errors show once the visitor has
 * submitted, and from then on follow each change.
 */
export function SubscriptionRunner({
  ref,
  initialValues,
  shownAt,
  source,
  onStateChange,
  onSubscribed,
}: RunnerProps) {
  const intl = useIntl();
  const [refusal, setRefusal] = useState<Refusal>();
  const formik = useFormik<SubscriptionValues>({
    initialValues,
    validationSchema: subscriptionSchema,
    validateOnBlur: false,
    onSubmit: async (values) => {
      const { userType, email, website } = subscriptionSchema.cast(values);
      const input = { userType, email, website, source, fillTime: await fillTime(shownAt.current) };
      const outcome = await subscribe(input);
      if (outcome) {
        setRefusal(outcome);
      } else {
        track('newsletter_signup', { user_type: userType, ...(source && { signup_source: source }) });
        onSubscribed(<Welcome />);
      }
    },
  });

  useImperativeHandle(ref, () => ({
    change: (event) => {
      setRefusal(undefined);
      formik.handleChange(event);
    },
    submit: () => {
      if (formik.isSubmitting) return;
      setRefusal(undefined);
      formik.handleSubmit();
    },
  }));

  const { submitCount, isSubmitting } = formik;
  const brokenRule = formik.errors.email as MessageId | undefined;
  const ruleText = brokenRule && intl.formatMessage({ id: brokenRule }, { limit: EMAIL_LIMIT });
  const refusalText = refusal?.message(intl);
  const emailError = refusal?.isAboutEmail ? refusalText : ruleText;
  const formError = refusal?.isAboutEmail ? undefined : refusalText;

  useEffect(() => {
    if (submitCount > 0)
      onStateChange({ attempt: submitCount, pending: isSubmitting, emailError, formError });
  }, [submitCount, isSubmitting, emailError, formError, onStateChange]);

  return null;
}
