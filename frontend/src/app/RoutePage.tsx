import { PageView } from '../analytics/PageView';
import { LoadedPart } from '../later/LoadedPart';
import { DocumentHead } from './DocumentHead';
import { pages } from './pages';
import type { PageEntry } from './routes';

/** One page with its head and its messages; suspends until they are there. */
export function RoutePage({ entry: { page, titleKey, descriptionKey } }: { entry: PageEntry }) {
  return (
    <LoadedPart part={pages[page]}>
      <DocumentHead titleKey={titleKey} descriptionKey={descriptionKey} />
      <PageView />
    </LoadedPart>
  );
}
