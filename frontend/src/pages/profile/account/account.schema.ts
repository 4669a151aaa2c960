import { boolean, type InferType, object, string } from 'yup';

import { email, newPassword, singleLineText } from '../../../forms/validation/schemas';

/** The most characters of the comment on leaving the newsletter. */
const COMMENT_LIMIT = 500;

/** The server alone knows whether it is right. */
const currentPassword = string().default('').required({ id: 'account.currentPasswordRequired' });

export const passwordSchema = object({ currentPassword, newPassword: newPassword() });

export const emailSchema = object({
  email: email(),
  currentPassword,
});

export const deleteSchema = object({ currentPassword, keepNewsletter: boolean().default(false) });

export const newsletterSchema = object({
  sailor: boolean().default(false),
  company: boolean().default(false),
  language: string().default('en'),
  pause: string().default(''),
  reason: string().default(''),
  comment: singleLineText({
    limit: COMMENT_LIMIT,
    tooLong: 'profile.tooLong',
    invisible: 'profile.invisible',
  }),
});

export type NewsletterValues = InferType<typeof newsletterSchema>;
