import type { ResolvedIntlConfig } from 'react-intl';

import type accountMessages from './messages/en/account.json';
import type appMessages from './messages/en/app';
import type crossroadMessages from './messages/en/crossroad.json';
import type landingMessages from './messages/en/landing';
import type landingCompaniesMessages from './messages/en/landingCompanies';
import type landingSailorsMessages from './messages/en/landingSailors';
import type legalMessages from './messages/en/legal.json';
import type newsletterMessages from './messages/en/newsletter';
import type notFoundMessages from './messages/en/notFound';
import type privacyMessages from './messages/en/privacy.json';
import type publicMessages from './messages/en/public';
import type screensMessages from './messages/en/screens';
import type { Language } from './languages';

/** The id of a message. An id that no catalogue has does not type-check. */
export type MessageId = keyof (typeof publicMessages &
  typeof accountMessages &
  typeof appMessages &
  typeof crossroadMessages &
  typeof landingMessages &
  typeof landingCompaniesMessages &
  typeof landingSailorsMessages &
  typeof legalMessages &
  typeof newsletterMessages &
  typeof notFoundMessages &
  typeof privacyMessages &
  typeof screensMessages);

/** Messages of one language, each parsed by the build (frontend/tools/build/catalogue-loader.js). */
export type Catalogue = Partial<ResolvedIntlConfig['messages']>;

/**
 * One catalogue for all pages (`public`), one for each public page, one for the account pages and the member controls (`app`),
 * one for the screens with sample data (`screens`), and one each for the settings of an account, the legal documents and the consent
 * banner. Django links the chunks of a page.
 */
const imports = {
  public: {
    en: () => import(/* webpackChunkName: "messages-public-en" */ './messages/en/public'),
    cs: () => import(/* webpackChunkName: "messages-public-cs" */ './messages/cs/public'),
  },
  app: {
    en: () => import(/* webpackChunkName: "messages-app-en" */ './messages/en/app'),
    cs: () => import(/* webpackChunkName: "messages-app-cs" */ './messages/cs/app'),
  },
  screens: {
    en: () => import(/* webpackChunkName: "messages-screens-en" */ './messages/en/screens'),
    cs: () => import(/* webpackChunkName: "messages-screens-cs" */ './messages/cs/screens'),
  },
  landing: {
    en: () => import(/* webpackChunkName: "messages-landing-en" */ './messages/en/landing'),
    cs: () => import(/* webpackChunkName: "messages-landing-cs" */ './messages/cs/landing'),
  },
  'landing-sailors': {
    en: () => import(/* webpackChunkName: "messages-landing-sailors-en" */ './messages/en/landingSailors'),
    cs: () => import(/* webpackChunkName: "messages-landing-sailors-cs" */ './messages/cs/landingSailors'),
  },
  'landing-companies': {
    en: () =>
      import(/* webpackChunkName: "messages-landing-companies-en" */ './messages/en/landingCompanies'),
    cs: () =>
      import(/* webpackChunkName: "messages-landing-companies-cs" */ './messages/cs/landingCompanies'),
  },
  crossroad: {
    en: () => import(/* webpackChunkName: "messages-crossroad-en" */ './messages/en/crossroad.json'),
    cs: () => import(/* webpackChunkName: "messages-crossroad-cs" */ './messages/cs/crossroad.json'),
  },
  newsletter: {
    en: () => import(/* webpackChunkName: "messages-newsletter-en" */ './messages/en/newsletter'),
    cs: () => import(/* webpackChunkName: "messages-newsletter-cs" */ './messages/cs/newsletter'),
  },
  'not-found': {
    en: () => import(/* webpackChunkName: "messages-not-found-en" */ './messages/en/notFound'),
    cs: () => import(/* webpackChunkName: "messages-not-found-cs" */ './messages/cs/notFound'),
  },
  account: {
    en: () => import(/* webpackChunkName: "messages-account-en" */ './messages/en/account.json'),
    cs: () => import(/* webpackChunkName: "messages-account-cs" */ './messages/cs/account.json'),
  },
  privacy: {
    en: () => import(/* webpackChunkName: "messages-privacy-en" */ './messages/en/privacy.json'),
    cs: () => import(/* webpackChunkName: "messages-privacy-cs" */ './messages/cs/privacy.json'),
  },
  legal: {
    en: () => import(/* webpackChunkName: "messages-legal-en" */ './messages/en/legal.json'),
    cs: () => import(/* webpackChunkName: "messages-legal-cs" */ './messages/cs/legal.json'),
  },
} satisfies Record<string, Record<Language, () => Promise<{ default: object }>>>;

export type CatalogueName = keyof typeof imports;

const loaded = new Map<string, Catalogue>();
const inUse = new Set<CatalogueName>(['public']);

/** Load one catalogue. From then on, every change of language loads it too. */
export async function loadCatalogue(name: CatalogueName, language: Language): Promise<Catalogue> {
  inUse.add(name);
  const { default: messages } = await (imports[name][language]() as Promise<{ default: object }>);
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
