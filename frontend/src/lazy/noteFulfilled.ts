/**
 * Notes on a promise what it came to: React's `use` then takes that at once, and suspends nothing.
 *
 * The fields are those that React looks for, and sets itself where nobody else did (https://react.dev/reference/react/use).
 */
export function noteFulfilled<Value>(promise: Promise<Value>, value: Value): void {
  void Object.assign(promise, { status: 'fulfilled', value });
}
