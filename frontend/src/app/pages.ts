import type { ComponentType } from 'react';

import { loadChunk } from '../chunks/loadChunk';
import { type Catalogue, loadGroup } from '../language/catalogues';
import type { Language } from '../language/languages';
import type { PageEntry } from './routes';

/** Every page of frontend/routes.json; Django links the chunk `page-<name>` of the page it answers with. */
export const pages = {
  crossroad: async () => {
    const module = await import(/* webpackChunkName: "page-crossroad" */ '../pages/crossroad/CrossroadPage');
    return module.CrossroadPage;
  },
  newsletter: async () => {
    const module = await import(
      /* webpackChunkName: "page-newsletter" */ '../pages/newsletter/NewsletterPage'
    );
    return module.NewsletterPage;
  },
  'not-found': async () => {
    const module = await import(/* webpackChunkName: "page-not-found" */ '../pages/not-found/NotFoundPage');
    return module.NotFoundPage;
  },
} satisfies Record<string, () => Promise<ComponentType>>;

export type PageName = keyof typeof pages;

/** What it takes to render a page: its component, and its messages in one language. */
export interface LoadedPage {
  Page: ComponentType;
  messages: Catalogue;
}

const loaded = new Map<string, LoadedPage>();
const loading = new Map<string, Promise<LoadedPage>>();

/** Loads a page in a language, once; a load that failed is tried anew by the next call. */
export function loadPage(entry: PageEntry, language: Language): Promise<LoadedPage> {
  const key = keyOf(entry, language);
  let page = loading.get(key);
  if (!page) {
    page = load(entry, language);
    loading.set(key, page);
    page.then(
      (result) => loaded.set(key, result),
      () => loading.delete(key),
    );
  }
  return page;
}

/** A page that has been loaded in a language, so that it renders at once; else undefined. */
export function loadedPage(entry: PageEntry, language: Language): LoadedPage | undefined {
  return loaded.get(keyOf(entry, language));
}

async function load({ page, titleKey }: PageEntry, language: Language): Promise<LoadedPage> {
  // A page's messages are those of the group that its title is in; Django reads the table so too.
  const group = titleKey.slice(0, titleKey.indexOf('.'));
  const [Page, messages] = await Promise.all([loadChunk(pages[page]), loadGroup(group, language)]);
  return { Page, messages };
}

function keyOf(entry: PageEntry, language: Language): string {
  return `${entry.page} ${language}`;
}
