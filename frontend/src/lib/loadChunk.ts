import { reloadPage } from './reloadPage';

/**
 * How much a page needs a chunk: `required` for the page itself and for what the visitor has asked for, `optional` for
 * the rest and for loading ahead.
 */
export type Need = 'required' | 'optional';

const STORAGE_KEY = 'reloaded-for-chunks';
const PROBE_TIMEOUT_MS = 3000;

/**
 * Load a chunk.
 *
 * A deploy removes the chunks of older builds. If a required chunk is missing, the page reloads, once for each missing
 * chunk, and the promise never settles. If it is missing after the reload too, the load fails as any other. A missing
 * optional chunk never reloads the page.
 *
 * @param reload loads the document again, by default that of the present address
 * @throws what `load` throws, if a reload would not help
 */
export async function loadChunk<Module>(
  load: () => Promise<Module>,
  need: Need,
  reload = reloadPage,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (need === 'optional' || !isChunkLoadError(error)) throw error;
    // Without a connection a reload would only lose the page.
    if (!(await isServerReachable()) || !rememberReload(error.request)) throw error;
    reload();
    return new Promise<never>(() => undefined);
  }
}

/** Return whether the server answers; `navigator.onLine` alone only knows of a network. */
export async function isServerReachable(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    return (await fetch('/healthz', { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** The error that webpack throws for a script or a style sheet. */
interface ChunkLoadError extends Error {
  request: string;
}

/** Return whether the network, not the code of a chunk, is to blame. */
export function isChunkLoadError(error: unknown): error is ChunkLoadError {
  return error instanceof Error && error.name === 'ChunkLoadError' && 'request' in error;
}

/** Remember that the page reloads for a file. Return false if it did before, or if that cannot be stored. */
function rememberReload(file: string): boolean {
  try {
    const files = sessionStorage.getItem(STORAGE_KEY)?.split(' ') ?? [];
    if (files.includes(file)) return false;
    sessionStorage.setItem(STORAGE_KEY, [...files, file].join(' '));
    return true;
  } catch {
    // Without storage the page could reload for ever.
    return false;
  }
}
