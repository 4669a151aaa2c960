import type { ResolvedIntlConfig } from 'react-intl';

import { loadChunk } from '../lazy/loadChunk';
import type sharedGroups from './messages/en/catalogue';
import type academy from './messages/en/academy.json';
import type auth from './messages/en/auth.json';
import type crossroad from './messages/en/crossroad.json';
import type dashboard from './messages/en/dashboard.json';
import type events from './messages/en/events.json';
import type landing from './messages/en/landing.json';
import type landingBelow from './messages/en/landingBelow.json';
import type landingCompanies from './messages/en/landingCompanies.json';
import type landingCompaniesBelow from './messages/en/landingCompaniesBelow.json';
import type landingSailors from './messages/en/landingSailors.json';
import type landingSailorsBelow from './messages/en/landingSailorsBelow.json';
import type marketplace from './messages/en/marketplace.json';
import type memberBar from './messages/en/memberBar.json';
import type memberWait from './messages/en/memberWait.json';
import type newsletter from './messages/en/newsletter.json';
import type notFound from './messages/en/notFound.json';
import type notifications from './messages/en/notifications.json';
import type privacy from './messages/en/privacy.json';
import type profile from './messages/en/profile.json';
import type { Language } from './languages';

/** Every message there is; an id that no catalogue has does not type-check. */
export type MessageId = keyof (typeof sharedGroups &
  typeof academy &
  typeof auth &
  typeof crossroad &
  typeof dashboard &
  typeof events &
  typeof landing &
  typeof landingBelow &
  typeof landingCompanies &
  typeof landingCompaniesBelow &
  typeof landingSailors &
  typeof landingSailorsBelow &
  typeof marketplace &
  typeof memberBar &
  typeof memberWait &
  typeof newsletter &
  typeof notFound &
  typeof notifications &
  typeof privacy &
  typeof profile);

/**
 * Some messages of one language as the build left them: each parsed (see frontend/tools/build/catalogue-loader.js).
 *
 * A page has what every page needs and its own; what react-intl misses, it reports.
 */
export type Catalogue = Partial<ResolvedIntlConfig['messages']>;

const shared = {
  en: () => import(/* webpackChunkName: "messages-en" */ './messages/en/catalogue'),
  cs: () => import(/* webpackChunkName: "messages-cs" */ './messages/cs/catalogue'),
};

/** Loads the messages that every page needs: a chunk of its own, which Django links for the first language. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  const module = await loadChunk<{ default: Catalogue }>(shared[language], 'optional');
  return module.default;
}

/** Loads the messages of one group of the public pages: a chunk of its own, which Django links for the page it answers with. */
export async function loadGroup(group: string, language: Language): Promise<Catalogue> {
  const module = await loadChunk<{ default: Catalogue }>(
    () =>
      import(
        /* webpackChunkName: "messages-[request]" */
        // The first load holds a list of these files: the fewer, the better (see memberGroups.ts).
        /* webpackInclude: /(crossroad|landing\w*|memberBar|memberWait|newsletter|notFound|privacy)\.json$/ */
        `./messages/${language}/${group}.json`
      ),
    'optional',
  );
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
