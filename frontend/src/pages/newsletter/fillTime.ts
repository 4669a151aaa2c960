/** What is sent sooner than this after the form was shown, in milliseconds, the server takes for a program's. */
const SHORTEST_FILL_TIME = 1000;

/** The largest number that a GraphQL Int holds: a page may stand open for a month. */
const LARGEST_INT = 2 ** 31 - 1;

/**
 * How long a form has been shown, in milliseconds, for the server to tell people from programs.
 *
 * Waits until that is as long as a person takes: whoever lets the browser fill the form in loses nothing by it.
 *
 * @param shownAt when the form was shown, by `performance.now()`
 */
export async function fillTime(shownAt: number): Promise<number> {
  const elapsed = performance.now() - shownAt;
  if (elapsed < SHORTEST_FILL_TIME) {
    await new Promise((resolve) => {
      setTimeout(resolve, SHORTEST_FILL_TIME - elapsed);
    });
  }
  const total = Math.round(performance.now() - shownAt);
  return Math.min(Math.max(total, SHORTEST_FILL_TIME), LARGEST_INT);
}
