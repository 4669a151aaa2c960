import { type InferType, object, string } from 'yup';

import type { MessageId } from '../../language/catalogues';

/** RFC 5321, 4.5.3.1.3: a path of 256 octets, less its angle brackets. */
export const EMAIL_LIMIT = 254;

/** "A simple email shape" (spec section 5, Newsletter); the server looks closer. */
const EMAIL_SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Says which message tells of a broken rule. Which language it is in, the page decides when it shows it. */
const broken = (id: MessageId) => id;

/** What the visitor fills in (spec section 5, Newsletter). */
export const subscriptionSchema = object({
  userType: string().oneOf(['sailor', 'company']).required(),
  email: string()
    .trim()
    .required(broken('newsletter.emailRequired'))
    .max(EMAIL_LIMIT, broken('newsletter.emailTooLong'))
    .matches(EMAIL_SHAPE, { message: broken('newsletter.emailInvalid'), excludeEmptyString: true }),
  // The honeypot: sent as it is, judged by the server.
  website: string(),
});

export type SubscriptionValues = InferType<typeof subscriptionSchema>;
