/**
 * Reads what Chromium traced of a page: how long scripts ran on its main thread.
 *
 * Durations are those of the thread's own clock, which stands still while the processor works for somebody else.
 *
 * @typedef {{ name: string, ph: string, ts: number, tts?: number, tdur?: number, pid: number, tid: number,
 *   args: { data?: { type?: string } } }} TraceEvent times are in microseconds: `ts` of the clock, the others of the
 *   thread
 * @typedef {{ toPaint: number, inAll: number, longestTask: number }} Cost in milliseconds
 */

/** What DevTools draws in the colour of scripts, and the collection of their garbage. */
const SCRIPT = new Set([
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'FunctionCall',
  'MajorGC',
  'MinorGC',
  'RunMicrotasks',
  'TimerFire',
]);

/** What a script may make the browser do before it goes on: DevTools draws it in the colour of rendering. */
const RENDERING = new Set(['Layout', 'UpdateLayoutTree']);

/** What the main thread does one after the other. */
const TASKS = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);

/** The events of which one begins what a press of a key or of the mouse leads to. */
const BEGINNINGS = new Set(['keydown', 'click']);

/**
 * What one press of a key or of the mouse cost.
 *
 * @param {TraceEvent[]} trace from before the press until nothing happens any more
 * @returns {Cost} script until the page is painted for the first time after it, script until the end, and the
 *   longest task, whatever it did
 */
export function costOf(trace) {
  const begin = trace.find(
    ({ name, args }) => name === 'EventDispatch' && BEGINNINGS.has(args.data?.type ?? ''),
  );
  if (!begin) throw new Error('Nothing was pressed while the trace was taken');
  const thread = trace.filter(
    ({ ph, pid, tid, ts }) => ph === 'X' && pid === begin.pid && tid === begin.tid && ts >= begin.ts,
  );
  const paint = thread.find(({ name, ts }) => name === 'Paint' && ts > begin.ts);
  const tasks = thread.filter(({ name }) => TASKS.has(name));
  return {
    toPaint: scriptIn(thread.filter(({ ts }) => !paint || ts < paint.ts)),
    inAll: scriptIn(thread),
    longestTask: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
  };
}

/** @param {TraceEvent[]} events of one thread @returns {number} the milliseconds of script in them */
function scriptIn(events) {
  const scripts = events.filter(({ name }) => SCRIPT.has(name));
  const forced = events.filter(
    (event) => RENDERING.has(event.name) && scripts.some((script) => isWithin(event, script)),
  );
  return covered(scripts) - covered(forced);
}

/** @param {TraceEvent} inner @param {TraceEvent} outer @returns {boolean} */
function isWithin(inner, outer) {
  const end = ({ tts = 0, tdur = 0 }) => tts + tdur;
  return (inner.tts ?? 0) >= (outer.tts ?? 0) && end(inner) <= end(outer);
}

/** @param {TraceEvent[]} events @returns {number} the milliseconds in which at least one of them was under way */
function covered(events) {
  let sum = 0;
  let until = 0;
  for (const { tts = 0, tdur = 0 } of events.toSorted((one, other) => one.ts - other.ts)) {
    const end = tts + tdur;
    sum += Math.max(0, end - Math.max(tts, until));
    until = Math.max(until, end);
  }
  return sum / 1000;
}
