import { BrowserClient, defaultStackParser, makeFetchTransport, Scope } from '@sentry/browser';

import { withoutPersons } from './withoutPersons';

/** A fault that repeats, say while the pointer moves, is told so often by one page. */
const MOST = 5;

let scope: Scope | undefined;
let told = 0;

/**
 * Tells Sentry of an error, without a word about the visitor (`withoutPersons`). What other sites' scripts and
 * extensions of the browser do wrong here is theirs.
 *
 * @param dsn the project's address at Sentry
 * @param event what the browser says of it: `error`, or `unhandledrejection`
 */
export function report(dsn: string, event: Event): void {
  const error: unknown = event instanceof ErrorEvent ? event.error : (event as PromiseRejectionEvent).reason;
  if (!(error instanceof Error) || !error.stack?.includes(`${location.origin}/static/`)) return;
  if (++told > MOST) return;
  scope ??= connect(dsn);
  scope.captureException(error);
}

/** Sentry's client without the integrations that would watch what the visitor does. */
function connect(dsn: string): Scope {
  const client = new BrowserClient({
    dsn,
    release: __webpack_hash__,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [],
    beforeSend: withoutPersons,
    dataCollection: { userInfo: false }, // else Sentry would add the visitor's IP address itself
    sendClientReports: false,
  });
  const connected = new Scope();
  connected.setClient(client);
  client.init();
  return connected;
}
