/// <reference types="vite/types/importMeta.d.ts" />
import type { ResolvedIntlConfig } from 'react-intl';

import type { Language } from '../i18n/languages';

type Messages = ResolvedIntlConfig['messages'];

const groups = import.meta.glob<Messages>('../i18n/messages/*/*.json', { eager: true, import: 'default' });

/** Return all messages of a language. */
function every(language: Language): Messages {
  const own = Object.entries(groups).filter(([path]) => path.startsWith(`../i18n/messages/${language}/`));
  return Object.assign({}, ...own.map(([, messages]) => messages)) as Messages;
}

export const catalogues = { en: every('en'), cs: every('cs') } satisfies Record<Language, Messages>;
