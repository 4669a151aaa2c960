import type { IntlShape } from 'react-intl';

import { client } from '../../graphql/client';
import { errorMessage, serverErrors } from '../../graphql/errors';
import { SubscribeNewsletterDocument, type SubscribeNewsletterInput } from '../../graphql/generated';

/** Why a subscription was not taken. */
export interface Refusal {
  /** What to tell the visitor, in the language that the page has by then; the server's own words stay as they came. */
  message: (intl: IntlShape) => string;
  /** Whether it is the email that the message is about, not the form as a whole. */
  isAboutEmail: boolean;
}

/**
 * Asks the server for a subscription.
 *
 * @returns nothing when it was taken, else what to tell the visitor (spec section 8, Newsletter)
 */
export async function subscribe(input: SubscribeNewsletterInput): Promise<Refusal | undefined> {
  try {
    const { data } = await client.mutate({ mutation: SubscribeNewsletterDocument, variables: { input } });
    if (data?.subscribeNewsletter.success) return undefined;
    const message = data?.subscribeNewsletter.message;
    return {
      message: (intl) => message || intl.formatMessage({ id: 'newsletter.refused' }),
      isAboutEmail: false,
    };
  } catch (error) {
    return {
      message: (intl) => errorMessage(error, intl, 'newsletter.failed'),
      isAboutEmail: serverErrors(error)[0]?.extensions?.field === 'email',
    };
  }
}
