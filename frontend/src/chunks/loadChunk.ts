import { reloadPage } from './reloadPage';

const STORAGE_KEY = 'reloaded-for-chunks';

/**
 * Loads a part of the program that is a file of its own.
 *
 * A deploy removes the files that a page opened before it still asks for. The page then loads itself
 * anew, once for each missing file, and the answer never settles; a file that is missing from the new
 * page too is an error like any other.
 *
 * @throws what `load` throws, when a reload would not help
 */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!isChunkLoadError(error) || !navigator.onLine || !noteReloadFor(error.request)) throw error;
    reloadPage();
    return new Promise<never>(() => undefined);
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
