/**
 * Reports what fails from now on and nobody catches to the project at Sentry. What it takes to report is loaded when
 * something has failed, and not before.
 *
 * @param dsn the project's address; with an empty one nothing is reported
 */
export function watchForErrors(dsn: string): void {
  if (!dsn) return;
  for (const type of ['error', 'unhandledrejection']) {
    addEventListener(type, (event) => {
      // That the chunk cannot be loaded must not be the next failure.
      import(/* webpackChunkName: "reports" */ './report').then(
        (reports) => reports.report(dsn, event),
        () => undefined,
      );
    });
  }
}
