import type { ErrorEvent, StackFrame } from '@sentry/browser';

/** Errors whose text names parts of the program. The text of any other quotes the value that it is about. */
const SPEAK_OF_CODE = ['ChunkLoadError', 'RangeError', 'ReferenceError', 'TypeError'];

/** React's own, which a production build tells as the number of a sentence. */
const REACT = /^Minified React error #\d+/;

/**
 * The event with nothing but what is known to tell of the program alone: the kind of error, its text if it speaks of
 * code, where in which of our files it happened, and in which build.
 */
export function withoutPersons(event: ErrorEvent): ErrorEvent {
  const values = event.exception?.values?.map(({ type, value, stacktrace }) => ({
    ...(type && { type }),
    value: type && SPEAK_OF_CODE.includes(type) ? (value ?? '') : (value?.match(REACT)?.[0] ?? ''),
    stacktrace: { frames: (stacktrace?.frames ?? []).map(place) },
  }));
  const { event_id, timestamp, level, platform, release } = event;
  return {
    type: undefined,
    ...(event_id && { event_id }),
    ...(timestamp && { timestamp }),
    ...(level && { level }),
    ...(platform && { platform }),
    ...(release && { release }),
    tags: { language: document.documentElement.lang },
    exception: { values: values ?? [] },
  };
}

function place({ filename, function: name, lineno, colno }: StackFrame): StackFrame {
  return {
    filename: filename?.replace(/[?#].*/, '') ?? '',
    ...(name && { function: name }),
    ...(lineno && { lineno }),
    ...(colno && { colno }),
    in_app: true,
  };
}
