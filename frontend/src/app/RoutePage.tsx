import { createElement, use } from 'react';

import { useLanguage } from '../language/LanguageProvider';
import { MoreMessages } from '../language/MoreMessages';
import { DocumentHead } from './DocumentHead';
import { loadedPage, loadPage } from './pages';
import type { PageEntry } from './routes';

/** One page with its head and its messages; suspends until they are there. */
export function RoutePage({ entry }: { entry: PageEntry }) {
  const { language } = useLanguage();
  // A page that is loaded renders at once, so that the first render fits what stands in #root.
  const { Page, messages } = loadedPage(entry, language) ?? use(loadPage(entry, language));

  return (
    <MoreMessages messages={messages}>
      <DocumentHead titleKey={entry.titleKey} descriptionKey={entry.descriptionKey} />
      {createElement(Page)}
    </MoreMessages>
  );
}
