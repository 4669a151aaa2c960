/**
 * Report uncaught errors to Sentry, whose client is loaded by the first one.
 *
 * @param dsn the address of the Sentry project; empty to report nothing
 */
export function watchForErrors(dsn: string): void {
  if (!dsn) return;
  for (const type of ['error', 'unhandledrejection']) {
    addEventListener(type, (event) => {
      import(/* webpackChunkName: "reports" */ './report').then(
        (reports) => reports.report(dsn, event),
        () => undefined, // a failed load must not be the next error
      );
    });
  }
}
