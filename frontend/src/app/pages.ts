import type { ComponentType } from 'react';

import { loadChunk } from '../chunks/loadChunk';

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

const loaded = new Map<PageName, ComponentType>();
const loading = new Map<PageName, Promise<ComponentType>>();

/** Loads the chunk of a page, once; a load that failed is tried anew by the next call. */
export function loadPage(name: PageName): Promise<ComponentType> {
  let page = loading.get(name);
  if (!page) {
    page = loadChunk(pages[name]);
    loading.set(name, page);
    page.then(
      (component) => loaded.set(name, component),
      () => loading.delete(name),
    );
  }
  return page;
}

/** The component of a page that has been loaded, so that it renders at once; else undefined. */
export function loadedPage(name: PageName): ComponentType | undefined {
  return loaded.get(name);
}
