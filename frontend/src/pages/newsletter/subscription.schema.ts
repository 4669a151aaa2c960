import { type InferType, object, string } from 'yup';

import { email } from '../../forms/validation/email';

/** What the visitor fills in (spec section 5, Newsletter). A broken rule is told by the id of its message. */
export const subscriptionSchema = object({
  userType: string().oneOf(['sailor', 'company']).required(),
  email: email({
    required: 'newsletter.emailRequired',
    tooLong: 'newsletter.emailTooLong',
    invalid: 'newsletter.emailInvalid',
  }),
  // The honeypot: sent as it is, judged by the server.
  website: string(),
});

export type SubscriptionValues = InferType<typeof subscriptionSchema>;
