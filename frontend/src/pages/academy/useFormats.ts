import { useIntl } from 'react-intl';

import { usePrice } from '../../i18n/usePrice';

/** How the screen writes figures in the language of the page. */
export function useFormats() {
  const { formatNumber } = useIntl();
  const price = usePrice();
  return {
    /** 24h */
    hours: (hours: number) => formatNumber(hours, { style: 'unit', unit: 'hour', unitDisplay: 'narrow' }),
    /** 50% */
    percent: (percent: number) => formatNumber(percent / 100, { style: 'percent' }),
    /** $89 */
    price,
    /** 4.9 */
    rating: (rating: number) => formatNumber(rating, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  };
}
