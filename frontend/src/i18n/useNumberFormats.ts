import { useIntl } from 'react-intl';

/** Return functions that format numbers in the language of the page. */
export function useNumberFormats() {
  const { formatNumber } = useIntl();
  return {
    /** $49, 49 US$ */
    price: (dollars: number) =>
      formatNumber(dollars, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }),
    /** 24h */
    hours: (hours: number) => formatNumber(hours, { style: 'unit', unit: 'hour', unitDisplay: 'narrow' }),
    /** 50% */
    percent: (percent: number) => formatNumber(percent / 100, { style: 'percent' }),
    /** 4.9 */
    rating: (rating: number) => formatNumber(rating, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  };
}
