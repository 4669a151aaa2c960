import { useIntl } from 'react-intl';

/** Return a formatter for whole US dollars in the language of the page: $49, 49 US$. */
export function usePrice(): (dollars: number) => string {
  const { formatNumber } = useIntl();
  return (dollars) => formatNumber(dollars, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
}
