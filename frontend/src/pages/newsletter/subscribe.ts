import type { IntlShape } from 'react-intl';

import { client } from '../../api/client';
import { errorMessage, serverErrors } from '../../api/errors';
import { SubscribeNewsletterDocument, type SubscribeNewsletterInput } from '../../api/generated';
import { waitForFillTime } from './fillTime';

/** Why a subscription was refused. */
export interface Refusal {
  /** Return the text in the current language; the server's own text is never translated. */
  message: (intl: IntlShape) => string;
  /** Whether the message belongs to the email field rather than to the form. */
  isAboutEmail: boolean;
}

/**
 * Send a subscription.
 *
 * @param shownAt when the form was shown, by `performance.now()`
 * @returns undefined on success, else why it was refused (spec section 8, Newsletter)
 */
export async function subscribe(
  values: Omit<SubscribeNewsletterInput, 'fillTime'>,
  shownAt: number,
): Promise<Refusal | undefined> {
  const input = { ...values, fillTime: await waitForFillTime(shownAt) };
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
