import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { TextField } from '../../ui/Field';
import * as styles from './FilterPanel.module.css';
import { DEFAULT_MAX_PRICE, DEFAULT_MIN_PRICE, type Filters } from './filters';
import { isPrice, MAX_PRICE_DIGITS } from './searchParams';

type Prices = Pick<Filters, 'minPrice' | 'maxPrice'>;

interface PriceFieldsProps {
  prices: Prices;
  onChange: (change: Partial<Prices>) => void;
}

/** Render the price range per day in whole dollars (spec section 5). */
export function PriceFields({ prices: { minPrice, maxPrice }, onChange }: PriceFieldsProps) {
  const { formatMessage } = useIntl();
  const reversed = minPrice > maxPrice ? formatMessage({ id: 'marketplace.priceReversed' }) : undefined;
  return (
    <fieldset className={styles.range}>
      <legend>
        <FormattedMessage id="marketplace.price" />
      </legend>
      <PriceField
        label={formatMessage({ id: 'marketplace.minPrice' })}
        value={minPrice}
        fallback={DEFAULT_MIN_PRICE}
        onChange={(price) => onChange({ minPrice: price })}
      />
      <PriceField
        label={formatMessage({ id: 'marketplace.maxPrice' })}
        value={maxPrice}
        fallback={DEFAULT_MAX_PRICE}
        error={reversed}
        onChange={(price) => onChange({ maxPrice: price })}
      />
    </fieldset>
  );
}

interface PriceFieldProps {
  label: string;
  value: number;
  /** The price of an empty field. */
  fallback: number;
  error?: string | undefined;
  onChange: (price: number) => void;
}

/** Render one bound: the text as typed and, after blur, the price that applies. */
function PriceField({ label, value, fallback, error, onChange }: PriceFieldProps) {
  const { formatMessage } = useIntl();
  const [typed, setTyped] = useState<string>();
  const isInvalid = typed !== undefined && parsePrice(typed, fallback) === undefined;

  function update(text: string) {
    setTyped(text);
    const price = parsePrice(text, fallback);
    if (price !== undefined) onChange(price);
  }

  return (
    <TextField
      isLive
      label={label}
      inputMode="numeric"
      autoComplete="off"
      maxLength={MAX_PRICE_DIGITS}
      value={typed ?? String(value)}
      error={isInvalid ? formatMessage({ id: 'marketplace.priceWhole' }) : error}
      onChange={({ target }) => update(target.value)}
      onBlur={() => setTyped(undefined)}
    />
  );
}

/** Parse a price; return undefined when it is invalid. */
function parsePrice(text: string, fallback: number): number | undefined {
  const digits = text.trim();
  if (digits === '') return fallback;
  return isPrice(digits) ? Number(digits) : undefined;
}
