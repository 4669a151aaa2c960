import { reloadPage } from './reloadPage';

const STORAGE_KEY = 'reloaded-for-chunks';

/** How long the server may take to show that it is there, in milliseconds. */
const PROBE_DEADLINE_IN_MS = 3000;

/**
 * Loads a part of the program that is a file of its own.
 *
 * A deploy removes the files that a page opened before it still asks for. When a required file is missing, the page
 * loads itself anew, once for each missing file, and the answer never settles; a file that is missing from the new page
 * too is an error like any other. What the page can do without, or loads ahead of its use, is optional: it never
 * reloads the page.
 *
 * @throws what `load` throws, when a reload would not help
 */
export async function loadChunk<Module>(
  load: () => Promise<Module>,
  need: 'required' | 'optional',
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (need === 'optional' || !isChunkLoadError(error)) throw error;
    // Without a connection a reload would only lose the page.
    if (!(await isServerReachable()) || !noteReloadFor(error.request)) throw error;
    reloadPage();
    return new Promise<never>(() => undefined);
  }
}

/** Whether the server answers, which `navigator.onLine` alone does not tell. */
export async function isServerReachable(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    const signal = AbortSignal.timeout(PROBE_DEADLINE_IN_MS);
    return (await fetch('/healthz', { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** What webpack throws, for a script and for a style sheet. */
interface ChunkLoadError extends Error {
  request: string;
}

function isChunkLoadError(error: unknown): error is ChunkLoadError {
  return error instanceof Error && error.name === 'ChunkLoadError' && 'request' in error;
}

/** Notes that the page reloads for a file; false when it did so before, or when that cannot be known. */
function noteReloadFor(file: string): boolean {
  try {
    const noted = sessionStorage.getItem(STORAGE_KEY)?.split(' ') ?? [];
    if (noted.includes(file)) return false;
    sessionStorage.setItem(STORAGE_KEY, [...noted, file].join(' '));
    return true;
  } catch {
    // Storage is closed to this page: without a memory it could reload for ever.
    return false;
  }
}
