import type { IntlShape } from 'react-intl';

import { client } from '../../graphql/client';
import { errorMessage, serverErrors } from '../../graphql/errors';
import { SubscribeNewsletterDocument, type SubscribeNewsletterInput } from '../../graphql/generated';

/** Why a subscription was not taken, in the visitor's language. */
export interface Refusal {
  message: string;
  /** Whether it is the email that the message is about, not the form as a whole. */
  isAboutEmail: boolean;
}

/**
 * Asks the server for a subscription.
 *
 * @returns nothing when it was taken, else what to tell the visitor (spec section 8, Newsletter)
 */
export async function subscribe(
  input: SubscribeNewsletterInput,
  intl: IntlShape,
): Promise<Refusal | undefined> {
  try {
    const { data } = await client.mutate({ mutation: SubscribeNewsletterDocument, variables: { input } });
    if (data?.subscribeNewsletter.success) return undefined;
    const message = data?.subscribeNewsletter.message || intl.formatMessage({ id: 'newsletter.refused' });
    return { message, isAboutEmail: false };
  } catch (error) {
    return {
      message: errorMessage(error, intl, 'newsletter.failed'),
      isAboutEmail: serverErrors(error)[0]?.extensions?.field === 'email',
    };
  }
}
