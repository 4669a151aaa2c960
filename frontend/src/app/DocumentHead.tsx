import { useEffect } from 'react';

import { trackPageView } from '../consent/track';
import type { MessageId } from '../i18n/catalogues';
import { useT } from '../i18n/LanguageProvider';
import type { PageEntry } from './routes';

const OF_THE_DOCUMENT =
  'link[rel="canonical"], link[rel="alternate"], meta[property^="og:"], meta[name^="twitter:"]';

interface DocumentHeadProps {
  entry: PageEntry;
  pathname: string;
}

/**
 * Keep the title and the description up to date with the page and the language, and record a page view on each change of the
 * path (spec section 1). What else Django says about the page that it sent is removed once another one is shown.
 */
export function DocumentHead({ entry, pathname }: DocumentHeadProps) {
  const t = useT();
  const title = t(`${entry.head}Title` as MessageId);
  const description = t(`${entry.head}Description` as MessageId);

  // React's `<title>` would add a second title.
  useEffect(() => {
    if (document.title === title) return;
    document.title = title;
    for (const tag of document.querySelectorAll(OF_THE_DOCUMENT)) tag.remove();
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
  }, [title, description]);

  // After the effect that sets the title.
  useEffect(() => trackPageView(pathname, entry.page), [pathname, entry.page]);

  return null;
}
