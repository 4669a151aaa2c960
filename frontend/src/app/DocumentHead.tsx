import { useEffect } from 'react';
import { useIntl } from 'react-intl';

import type { MessageId } from '../language/catalogues';

interface DocumentHeadProps {
  titleKey: MessageId;
  descriptionKey: MessageId;
}

/**
 * Keeps the title and the description true to the page and the language.
 *
 * Django writes the first ones; React's own `<title>` would only add a second to the head.
 */
export function DocumentHead({ titleKey, descriptionKey }: DocumentHeadProps) {
  const intl = useIntl();
  const title = intl.formatMessage({ id: titleKey });
  const description = intl.formatMessage({ id: descriptionKey });

  useEffect(() => {
    document.title = title;
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
  }, [title, description]);

  return null;
}
