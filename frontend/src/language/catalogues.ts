import type { ResolvedIntlConfig } from 'react-intl';

import { loadChunk } from '../chunks/loadChunk';
import type english from './en/catalogue';
import type { Language } from './languages';

/** Every message there is; an id that no catalogue has does not type-check. */
export type MessageId = keyof typeof english;

/** The messages of one language as the build left them: each parsed (see frontend/tools/catalogue-loader.js). */
export type Catalogue = ResolvedIntlConfig['messages'];

const catalogues = {
  en: () => import(/* webpackChunkName: "messages-en" */ './en/catalogue'),
  cs: () => import(/* webpackChunkName: "messages-cs" */ './cs/catalogue'),
};

/** Loads the messages of a language: a chunk of its own, which Django links for the first language. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  const module = await loadChunk<{ default: Catalogue }>(catalogues[language]);
  return module.default;
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
