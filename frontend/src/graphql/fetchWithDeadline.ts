/** The server answers or gives up within 15 s itself; waiting longer helps nobody. */
const DEADLINE_IN_MS = 15_000;

/** No answer came: the server could not be reached, or took too long. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly reason: 'unreachable' | 'timeout';

  constructor(reason: ConnectionError['reason'], cause: unknown) {
    super(`The server is ${reason === 'timeout' ? 'too slow' : 'out of reach'}`, { cause });
    this.reason = reason;
  }
}

/**
 * `fetch` whose answer is there as a whole, headers and body, before the deadline.
 *
 * @throws {ConnectionError} when it is not
 */
export async function fetchWithDeadline(
  address: RequestInfo | URL,
  request: RequestInit = {},
): Promise<Response> {
  const deadline = AbortSignal.timeout(DEADLINE_IN_MS);
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
  try {
    const response = await fetch(address, { ...request, signal });
    return new Response(await response.text(), response);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ConnectionError(deadline.aborted ? 'timeout' : 'unreachable', error);
  }
}
