import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { TextField } from '../../ui/TextField';
import { isPrice, PRICE_DIGITS } from './address';
import * as styles from './FilterPanel.module.css';
import { type Filters, HIGHEST_PRICE, LOWEST_PRICE } from './filters';

type Prices = Pick<Filters, 'minPrice' | 'maxPrice'>;

interface PriceFieldsProps {
  prices: Prices;
  onChange: (change: Partial<Prices>) => void;
}

/** What a day may cost: whole dollars; blank means from the lowest, up to the highest (spec section 5). */
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
        blank={LOWEST_PRICE}
        onChange={(price) => onChange({ minPrice: price })}
      />
      <PriceField
        label={formatMessage({ id: 'marketplace.maxPrice' })}
        value={maxPrice}
        blank={HIGHEST_PRICE}
        error={reversed}
        onChange={(price) => onChange({ maxPrice: price })}
      />
    </fieldset>
  );
}

interface PriceFieldProps {
  label: string;
  value: number;
  /** The price that an empty field stands for. */
  blank: number;
  error?: string | undefined;
  onChange: (price: number) => void;
}

/** One bound. While it is typed into it shows what is typed; left, it shows the price that counts. */
function PriceField({ label, value, blank, error, onChange }: PriceFieldProps) {
  const { formatMessage } = useIntl();
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && priceIn(typed, blank) === undefined;

  function take(text: string) {
    setTyped(text);
    const price = priceIn(text, blank);
    if (price !== undefined) onChange(price);
  }

  return (
    <TextField
      label={label}
      inputMode="numeric"
      autoComplete="off"
      maxLength={PRICE_DIGITS}
      value={typed ?? String(value)}
      error={isWrong ? formatMessage({ id: 'marketplace.priceWhole' }) : error}
      onChange={({ target }) => take(target.value)}
      onBlur={() => setTyped(undefined)}
    />
  );
}

/** The price that a text says, if it says one. */
function priceIn(text: string, blank: number): number | undefined {
  const digits = text.trim();
  if (digits === '') return blank;
  return isPrice(digits) ? Number(digits) : undefined;
}
