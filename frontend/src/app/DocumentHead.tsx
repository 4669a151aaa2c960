import { useEffect } from 'react';
import { useIntl } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { trackPageView } from '../consent/track';
import type { MessageId } from '../i18n/catalogues';
import { useLanguage } from '../i18n/LanguageProvider';
import { useSiteConfig } from '../lib/SiteConfig';
import type { PageEntry } from './routes';

/**
 * Keep the document head up to date with the page and the language, and record a page view on each change of the path
 * (spec section 1).
 *
 * Django writes the first head, so the code that updates it is loaded when it is needed. React's `<title>` would add a
 * second title.
 */
export function DocumentHead({ entry }: { entry: PageEntry }) {
  const { formatMessage } = useIntl();
  const { pathname } = useLocation();
  const { language } = useLanguage();
  const site = useSiteConfig();
  const title = formatMessage({ id: `${entry.head}Title` as MessageId });
  const description = formatMessage({ id: `${entry.head}Description` as MessageId });

  useEffect(() => {
    if (document.title === title) return;
    document.title = title;
    import(/* webpackChunkName: "describe-page" */ './describePage').then(
      ({ describePage }) => describePage({ entry, language, title, description, site }),
      // The rest of the head only matters to those who share or save the page.
      () => undefined,
    );
  }, [entry, language, title, description, site]);

  // After the effect that sets the title.
  useEffect(() => trackPageView(pathname), [pathname]);

  return null;
}
