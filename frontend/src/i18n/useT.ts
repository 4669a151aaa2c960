import { type PrimitiveType, useIntl } from 'react-intl';

import type { MessageId } from './catalogues';

/**
 * Return a function that gives the text of a message.
 *
 * The text must be the only child of an element (see `Text` in LanguageProvider); beside others it is a `FormattedMessage`.
 */
export function useT() {
  const { formatMessage } = useIntl();
  return (id: MessageId, values?: Record<string, PrimitiveType>) => formatMessage({ id }, values);
}
