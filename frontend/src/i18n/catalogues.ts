import type { ResolvedIntlConfig } from 'react-intl';

import type accountMessages from './messages/en/account.json';
import type appMessages from './messages/en/app.json';
import type componentsMessages from './messages/en/components.json';
import type crossroadMessages from './messages/en/crossroad.json';
import type landingMessages from './messages/en/landing.json';
import type landingCompaniesMessages from './messages/en/landing-companies.json';
import type landingSailorsMessages from './messages/en/landing-sailors.json';
import type legalMessages from './messages/en/legal.json';
import type newsletterMessages from './messages/en/newsletter.json';
import type notFoundMessages from './messages/en/not-found.json';
import type privacyMessages from './messages/en/privacy.json';
import type publicMessages from './messages/en/public.json';
import type screensMessages from './messages/en/screens.json';
import type { Language } from './languages';

/** The catalogues, each a file of `messages/<language>/` and a chunk, which Django links to the pages that need it. */
interface Catalogues {
  /** The frame of every page. */
  public: typeof publicMessages;
  /** Components of most pages: forms, loading and failure, notes. */
  components: typeof componentsMessages;
  /** The account pages and the member controls. */
  app: typeof appMessages;
  /** The screens with sample data. */
  screens: typeof screensMessages;
  landing: typeof landingMessages;
  'landing-sailors': typeof landingSailorsMessages;
  'landing-companies': typeof landingCompaniesMessages;
  crossroad: typeof crossroadMessages;
  newsletter: typeof newsletterMessages;
  'not-found': typeof notFoundMessages;
  /** The settings of an account. */
  account: typeof accountMessages;
  privacy: typeof privacyMessages;
  legal: typeof legalMessages;
}

export type CatalogueName = keyof Catalogues;

/** The id of a message. An id that no catalogue has does not type-check. */
export type MessageId = { [Name in CatalogueName]: keyof Catalogues[Name] }[CatalogueName];

/** Messages of one language, each parsed by the build (frontend/tools/build/catalogue-loader.js). */
export type Catalogue = Partial<ResolvedIntlConfig['messages']>;

const loaded = new Map<string, Catalogue>();
const inUse = new Set<CatalogueName>(['public']);

/** Load one catalogue. From then on, every change of language loads it too. */
export async function loadCatalogue(name: CatalogueName, language: Language): Promise<Catalogue> {
  inUse.add(name);
  const { default: messages } = (await import(
    /* webpackChunkName: "messages-[request]" */ `./messages/${language}/${name}.json`
  )) as { default: Catalogue };
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
