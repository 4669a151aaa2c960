import { client } from '../../lib/api/client';
import { type FormError, toFormError } from '../../lib/api/errors';
import { SubscribeNewsletterDocument, type SubscribeNewsletterInput } from '../../lib/api/generated';

/** The server takes a form that was sent sooner for a bot's. */
const MIN_FILL_TIME_MS = 1000;

/** The largest GraphQL Int; a page that stays open for 25 days would exceed it. */
const MAX_INT = 2 ** 31 - 1;

/**
 * Send a subscription.
 *
 * @param shownAt when the form was shown, by `performance.now()`
 * @returns undefined on success, else why it was rejected (spec section 8, Newsletter)
 */
export async function subscribe(
  values: Omit<SubscribeNewsletterInput, 'fillTime'>,
  shownAt: number,
): Promise<FormError | undefined> {
  const input = { ...values, fillTime: await waitForFillTime(shownAt) };
  try {
    const { data } = await client.mutate({ mutation: SubscribeNewsletterDocument, variables: { input } });
    if (data?.subscribeNewsletter.success) return undefined;
    const message = data?.subscribeNewsletter.message;
    return {
      getMessage: (intl) => message || intl.formatMessage({ id: 'newsletter.refused' }),
      isAboutEmail: false,
    };
  } catch (error) {
    return toFormError(error);
  }
}

/** Wait until the minimum has passed, and return how long the form has been shown, in milliseconds. */
export async function waitForFillTime(shownAt: number): Promise<number> {
  const elapsed = performance.now() - shownAt;
  if (elapsed < MIN_FILL_TIME_MS) {
    await new Promise((resolve) => {
      setTimeout(resolve, MIN_FILL_TIME_MS - elapsed);
    });
  }
  return Math.min(Math.max(Math.round(performance.now() - shownAt), MIN_FILL_TIME_MS), MAX_INT);
}
