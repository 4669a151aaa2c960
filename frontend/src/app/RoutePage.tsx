import { createElement, use } from 'react';

import { DocumentHead } from './DocumentHead';
import { loadedPage, loadPage } from './pages';
import type { PageEntry } from './routes';

/** One page with its head; suspends until its chunk is there. */
export function RoutePage({ entry }: { entry: PageEntry }) {
  // A page that is loaded renders at once, so that the first render fits what stands in #root.
  const page = loadedPage(entry.page) ?? use(loadPage(entry.page));

  return (
    <>
      <DocumentHead titleKey={entry.titleKey} descriptionKey={entry.descriptionKey} />
      {createElement(page)}
    </>
  );
}
