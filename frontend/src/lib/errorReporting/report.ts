import {
  BrowserClient,
  defaultStackParser,
  type ErrorEvent as SentryEvent,
  makeFetchTransport,
  Scope,
  type StackFrame,
} from '@sentry/browser';

/** The most errors that one page reports: an error may repeat on every pointer move. */
const MAX_REPORTS = 5;

/** Errors whose message names code. The message of any other may quote a value. */
const TYPES_WITHOUT_VALUES = ['ChunkLoadError', 'RangeError', 'ReferenceError', 'TypeError'];

/**
 * The parts without values of other messages: the numbers of React's errors in a production build, and the ids of
 * messages.
 */
const WITHOUT_VALUES = /^Minified React error #\d+|^\[@formatjs\/intl Error \w+\] Missing message: "[\w.]+"/;

let scope: Scope | undefined;
let reports = 0;

/**
 * Report an error of our own scripts to Sentry, without personal data.
 *
 * @param dsn the address of the Sentry project
 * @param event an `error` or `unhandledrejection` event
 */
export function report(dsn: string, event: Event): void {
  const error: unknown = event instanceof ErrorEvent ? event.error : (event as PromiseRejectionEvent).reason;
  if (!(error instanceof Error) || !error.stack?.includes(`${location.origin}/static/`)) return;
  if (++reports > MAX_REPORTS) return;
  scope ??= connect(dsn);
  scope.captureException(error);
}

/** Create a Sentry client without the integrations that record what the visitor does. */
function connect(dsn: string): Scope {
  const client = new BrowserClient({
    dsn,
    release: __webpack_hash__,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [],
    beforeSend: scrubPii,
    dataCollection: { userInfo: false }, // else Sentry stores the IP address
    sendClientReports: false,
  });
  const connected = new Scope();
  connected.setClient(client);
  client.init();
  return connected;
}

/** Copy only what describes the program: error type, code-only messages, our file names, and the build. */
function scrubPii(event: SentryEvent): SentryEvent {
  const values = event.exception?.values?.map(({ type, value, stacktrace }) => ({
    ...(type && { type }),
    value:
      type && TYPES_WITHOUT_VALUES.includes(type) ? (value ?? '') : (value?.match(WITHOUT_VALUES)?.[0] ?? ''),
    stacktrace: { frames: (stacktrace?.frames ?? []).map(scrubFrame) },
  }));
  const { event_id, timestamp, level, platform, release } = event;
  return {
    type: undefined,
    ...(event_id && { event_id }),
    ...(timestamp && { timestamp }),
    ...(level && { level }),
    ...(platform && { platform }),
    ...(release && { release }),
    tags: { language: document.documentElement.dataset.language },
    exception: { values: values ?? [] },
  };
}

function scrubFrame({ filename, function: name, lineno, colno }: StackFrame): StackFrame {
  return {
    filename: filename?.replace(/[?#].*/, '') ?? '',
    ...(name && { function: name }),
    ...(lineno && { lineno }),
    ...(colno && { colno }),
    in_app: true,
  };
}
