/** The server takes a form that was sent sooner for a bot's. */
const MIN_FILL_TIME_MS = 1000;

/** The largest GraphQL Int; a page that stays open for 25 days would exceed it. */
const MAX_INT = 2 ** 31 - 1;

/**
 * Return how long a form has been shown, in milliseconds, once the minimum has passed.
 *
 * @param shownAt when the form was shown, by `performance.now()`
 */
export async function waitForFillTime(shownAt: number): Promise<number> {
  const elapsed = performance.now() - shownAt;
  if (elapsed < MIN_FILL_TIME_MS) {
    await new Promise((resolve) => {
      setTimeout(resolve, MIN_FILL_TIME_MS - elapsed);
    });
  }
  const total = Math.round(performance.now() - shownAt);
  return Math.min(Math.max(total, MIN_FILL_TIME_MS), MAX_INT);
}
