import type { ResolvedIntlConfig } from 'react-intl';

import type prefixes from '../../messages/catalogues.json';
import chunks from '../../messages/catalogues.json?chunks';
import type englishMessages from '../../messages/en.json';
import { DEFAULT_LANGUAGE, type Language } from './languages';

/** The sample data of screens whose API does not exist yet: a file of `frontend/sample/<language>/`. */
export type SampleName = `sample-${'academy' | 'boats' | 'dashboard' | 'events' | 'notifications'}`;

/**
 * A part of the messages, by the prefixes of their ids, or of the sample data. Each is a chunk, which Django links to the
 * pages that need it.
 */
export type CatalogueName = keyof typeof prefixes | SampleName;

/** The id of a message. An id that does not exist does not type-check. */
export type MessageId = keyof typeof englishMessages;

/** Messages of one language, each parsed by the build (frontend/tools/build/catalogue-loader.js). */
export type Catalogue = Partial<ResolvedIntlConfig['messages']>;

/** What is loaded of each language. A catalogue is added in place, so that nothing renders again. */
export const messages: Record<Language, Catalogue> = { en: {}, cs: {} };

const inUse = new Set<CatalogueName>(['public']);

let language: Language = DEFAULT_LANGUAGE;
const listeners = new Set<() => void>();

export const getLanguage = () => language;

export function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Show the page in a language whose catalogues are loaded. */
export function setLanguage(next: Language): void {
  language = next;
  for (const listener of listeners) listener();
}

/** Load one catalogue. From then on, every change of language loads it too. */
export async function loadCatalogue(name: CatalogueName, of = language): Promise<void> {
  inUse.add(name);
  const { default: added } = await chunks[of][name]();
  Object.assign(messages[of], added);
}

/** Load every catalogue in use in a language. */
export async function loadLanguage(of: Language): Promise<void> {
  const { size } = inUse;
  await Promise.all([...inUse].map((name) => loadCatalogue(name, of)));
  // A link that was followed meanwhile has brought more into use.
  if (inUse.size > size) await loadLanguage(of);
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- where react-intl looks for the types of an application
  namespace FormatjsIntl {
    interface Message {
      ids: MessageId;
    }
  }
}
