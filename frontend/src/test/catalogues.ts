import chunks from '../../messages/catalogues.json?chunks';
import type { ResolvedIntlConfig } from 'react-intl';

import { messages, type SampleName } from '../i18n/catalogues';
import type { Language } from '../i18n/languages';

/** Return all messages and sample data of a language. */
async function loadAll(language: Language) {
  const modules = await Promise.all(Object.values(chunks[language]).map((load) => load()));
  return Object.assign({}, ...modules.map((module) => module.default)) as ResolvedIntlConfig['messages'];
}

export const catalogues = { en: await loadAll('en'), cs: await loadAll('cs') };

// As if every chunk had been loaded.
Object.assign(messages.en, catalogues.en);
Object.assign(messages.cs, catalogues.cs);

/** Return sample data as a page gets it, with dates as offsets. */
export function getSample(name: SampleName, language: Language = 'en'): unknown {
  return (catalogues[language] as Record<string, unknown>)[name];
}
