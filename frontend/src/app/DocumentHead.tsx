import { useEffect } from 'react';
import { useIntl } from 'react-intl';

import { useLanguage } from '../i18n/LanguageProvider';
import { useSiteConfig } from '../config/SiteConfig';
import type { PageEntry } from './routes';

/**
 * Keeps the head true to the page and the language.
 *
 * Django writes the first one, so that what writes the others is loaded when one is needed. React's own `<title>` would
 * only add a second to the head.
 */
export function DocumentHead({ entry }: { entry: PageEntry }) {
  const { formatMessage } = useIntl();
  const { language } = useLanguage();
  const site = useSiteConfig();
  const title = formatMessage({ id: entry.titleKey });
  const description = formatMessage({ id: entry.descriptionKey });

  useEffect(() => {
    if (document.title === title) return;
    document.title = title;
    import(/* webpackChunkName: "describe-page" */ './describePage').then(
      ({ describePage }) => describePage({ entry, language, title, description, site }),
      // The rest of the head is for who reads the address elsewhere: not worth a failure of the page.
      () => undefined,
    );
  }, [entry, language, title, description, site]);

  return null;
}
