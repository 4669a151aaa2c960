import { loadChunk } from '../lazy/loadChunk';
import type { Catalogue } from './catalogues';
import type { Language } from './languages';

/** Loads the messages of one group of the pages for members, or on the way there: a chunk of its own. */
export async function loadMemberGroup(group: string, language: Language): Promise<Catalogue> {
  const module = await loadChunk<{ default: Catalogue }>(
    () =>
      import(
        /* webpackChunkName: "messages-[request]" */
        /* webpackInclude: /(academy|auth|dashboard|events|marketplace|notifications|profile)\.json$/ */
        `./messages/${language}/${group}.json`
      ),
    'optional',
  );
  return module.default;
}
