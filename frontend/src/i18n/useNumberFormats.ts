import { useIntl } from 'react-intl';

const METERS_PER_FOOT = 0.3048;

/** Return functions that format numbers in the language of the page. */
export function useNumberFormats() {
  const { formatNumber } = useIntl();
  return {
    /** $49, 49 $ */
    price: (dollars: number) =>
      formatNumber(dollars, {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        maximumFractionDigits: 0,
      }),
    /** 12.2 m */
    meters: (feet: number) =>
      formatNumber(feet * METERS_PER_FOOT, { style: 'unit', unit: 'meter', maximumFractionDigits: 1 }),
    /** 24h */
    hours: (hours: number) => formatNumber(hours, { style: 'unit', unit: 'hour', unitDisplay: 'narrow' }),
    /** 50% */
    percent: (percent: number) => formatNumber(percent / 100, { style: 'percent' }),
    /** 4.9 */
    rating: (rating: number) => formatNumber(rating, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  };
}
