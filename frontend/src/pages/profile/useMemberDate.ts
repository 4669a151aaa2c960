import { useIntl } from 'react-intl';

/**
 * Writes dates in the long format of the page's language: US English or Czech (spec section 2, Profile).
 *
 * @returns takes what the server said; nothing at all, or what is no date, gives words that say so
 */
export function useMemberDate(): (date: string | null) => string {
  const { formatDate, formatMessage } = useIntl();
  return (date) => {
    if (!date) return formatMessage({ id: 'profile.dateMissing' });
    if (Number.isNaN(Date.parse(date))) return formatMessage({ id: 'profile.dateUnavailable' });
    return formatDate(date, { year: 'numeric', month: 'long', day: 'numeric' });
  };
}
