import type { ComponentType, ReactNode } from 'react';

import { PageView } from '../analytics/PageView';
import { LoadedPart } from '../lazy/LoadedPart';
import { DocumentHead } from './DocumentHead';
import { pages } from './pages';
import type { PageEntry } from './routes';

interface PageContentProps {
  entry: PageEntry;
  /** Rendered around the page, without its head. */
  frame?: ComponentType<{ children: ReactNode }> | undefined;
}

/** One page with its head and its messages; suspends until they are there. */
export function PageContent({ entry, frame }: PageContentProps) {
  return (
    <LoadedPart part={pages[entry.page]} frame={frame}>
      <DocumentHead entry={entry} />
      <PageView />
    </LoadedPart>
  );
}
