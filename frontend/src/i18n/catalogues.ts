import type { ResolvedIntlConfig } from 'react-intl';

import type prefixes from '../../messages/catalogues.json';
import chunks from '../../messages/catalogues.json?chunks';
import type englishMessages from '../../messages/en.json';
import type { Language } from './languages';

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

const loaded = new Map<string, Catalogue>();
const inUse = new Set<CatalogueName>(['public']);

/** Load one catalogue. From then on, every change of language loads it too. */
export async function loadCatalogue(name: CatalogueName, language: Language): Promise<Catalogue> {
  inUse.add(name);
  const { default: messages } = await chunks[language][name]();
  loaded.set(`${name}-${language}`, messages);
  return messages;
}

/** Load every catalogue in use in a language, and return the public one. */
export async function loadLanguage(language: Language): Promise<Catalogue> {
  const { size } = inUse;
  const [messages = {}] = await Promise.all([...inUse].map((name) => loadCatalogue(name, language)));
  // A link that was followed meanwhile has brought more into use.
  return inUse.size > size ? loadLanguage(language) : messages;
}

/** Return a catalogue that has been loaded before. */
export function getLoadedCatalogue(name: CatalogueName, language: Language): Catalogue | undefined {
  return loaded.get(`${name}-${language}`);
}

declare global {
  // The name that react-intl gives to its registry of an application's own types.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace FormatjsIntl {
    interface Message {
      ids: MessageId;
    }
  }
}
