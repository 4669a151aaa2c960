import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import type { Day } from '../../features/calendar/day';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import type { UrlState } from '../../lib/router/useUrlState';
import { FilterChips } from '../../ui/FilterChips';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/Field';
import {
  BOAT_TYPES,
  type BoatType,
  OWNER_LABELS,
  OWNER_TYPES,
  type OwnerType,
  type Period,
  TYPE_LABELS,
} from './boat';
import * as styles from './FilterPanel.module.css';
import {
  CAPACITIES,
  DEFAULT_MAX_PRICE,
  DEFAULT_MIN_PRICE,
  type Filters,
  LENGTHS,
  type Location,
  validatePeriod,
} from './filters';
import { type BoatSearch, isPrice, MAX_PRICE_DIGITS } from './searchParams';

interface FilterPanelProps extends UrlState<BoatSearch> {
  locations: readonly Location[];
  today: Day;
}

/** Render the filters (spec section 2, Marketplace). */
export function FilterPanel({ state, locations, today, commit, setDraft }: FilterPanelProps) {
  const { formatMessage } = useIntl();
  const format = useNumberFormats();

  const any = (label: string) => ({ value: '', label });
  const lengths = LENGTHS.map((feet) => ({
    value: String(feet),
    label: formatMessage({ id: 'marketplace.length' }, { feet, meters: format.meters(feet) }),
  }));
  const capacities = CAPACITIES.map((people) => ({
    value: String(people),
    label: formatMessage({ id: 'marketplace.capacity' }, { people }),
  }));
  const types = BOAT_TYPES.map((value) => ({ value, label: formatMessage({ id: TYPE_LABELS[value] }) }));
  const owners = OWNER_TYPES.map((value) => ({ value, label: formatMessage({ id: OWNER_LABELS[value] }) }));

  return (
    <div className={styles.panel}>
      <SelectField
        label={formatMessage({ id: 'marketplace.location' })}
        value={state.location}
        options={[
          any(formatMessage({ id: 'marketplace.anywhere' })),
          ...locations.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ target }) => commit({ location: target.value })}
      />
      <PeriodFields period={state} today={today} onChange={setDraft} />
      <FilterChips<BoatType | ''>
        label={formatMessage({ id: 'marketplace.type' })}
        chips={[{ value: '', label: formatMessage({ id: 'marketplace.allTypes' }) }, ...types]}
        value={state.type}
        onChange={(value) => commit({ type: value })}
      />
      <FilterChips<OwnerType | ''>
        label={formatMessage({ id: 'marketplace.ownerType' })}
        chips={[{ value: '', label: formatMessage({ id: 'marketplace.allOwners' }) }, ...owners]}
        value={state.ownerType}
        onChange={(value) => commit({ ownerType: value })}
      />
      <PriceFields prices={state} onChange={setDraft} />
      <div className={styles.pair}>
        <SelectField
          label={formatMessage({ id: 'marketplace.minLength' })}
          value={state.minLength ? String(state.minLength) : ''}
          options={[any(formatMessage({ id: 'marketplace.anyLength' })), ...lengths]}
          onChange={({ target }) => commit({ minLength: Number(target.value) })}
        />
        <SelectField
          label={formatMessage({ id: 'marketplace.minCapacity' })}
          value={state.minCapacity ? String(state.minCapacity) : ''}
          options={[any(formatMessage({ id: 'marketplace.anyCapacity' })), ...capacities]}
          onChange={({ target }) => commit({ minCapacity: Number(target.value) })}
        />
      </div>
    </div>
  );
}

type Prices = Pick<Filters, 'minPrice' | 'maxPrice'>;

interface PriceFieldsProps {
  prices: Prices;
  onChange: (change: Partial<Prices>) => void;
}

/** Render the price range per day in whole dollars (spec section 5). */
function PriceFields({ prices: { minPrice, maxPrice }, onChange }: PriceFieldsProps) {
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

/** Render one bound: the text as typed and, after blur or Back, the price that applies. */
function PriceField({ label, value, fallback, error, onChange }: PriceFieldProps) {
  const { formatMessage } = useIntl();
  const [typed, setTyped] = useState<{ text: string; price: number }>();
  const shown = typed?.price === value ? typed.text : String(value);
  const isInvalid = parsePrice(shown, fallback) === undefined;

  function update(text: string) {
    const price = parsePrice(text, fallback);
    setTyped({ text, price: price ?? value });
    if (price !== undefined) onChange(price);
  }

  return (
    <TextField
      isLive
      label={label}
      inputMode="numeric"
      autoComplete="off"
      maxLength={MAX_PRICE_DIGITS}
      value={shown}
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

/** Half-typed dates are valid but wrong (year 0202), so errors wait until the visitor pauses or leaves the field. */
const PAUSE_MS = 1000;

/** Keeps Chromium from taking a year of more than four digits. */
const MAX_DAY = '9999-12-31';

interface PeriodFieldsProps {
  period: Period;
  today: Day;
  onChange: (change: Partial<Period>) => void;
}

/** Render the rental period. */
function PeriodFields({ period, today, onChange }: PeriodFieldsProps) {
  const { formatMessage } = useIntl();
  const [isTyping, setTyping] = useState(false);
  const { from, to } = period;
  const problem = isTyping ? undefined : validatePeriod(period, today);
  const getError = (end: keyof Period) =>
    problem?.end === end ? formatMessage({ id: problem.messageId }) : undefined;

  useEffect(() => {
    const timer = setTimeout(() => setTyping(false), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [from, to]);

  function update(change: Partial<Period>) {
    setTyping(true);
    onChange(change);
  }

  return (
    <fieldset className={styles.range}>
      <legend>
        <FormattedMessage id="marketplace.period" />
      </legend>
      <TextField
        isLive
        type="date"
        label={formatMessage({ id: 'marketplace.from' })}
        value={from}
        min={today}
        max={MAX_DAY}
        error={getError('from')}
        onChange={({ target }) => update({ from: target.value })}
        onBlur={() => setTyping(false)}
      />
      <TextField
        isLive
        type="date"
        label={formatMessage({ id: 'marketplace.to' })}
        value={to}
        min={from > today ? from : today}
        max={MAX_DAY}
        error={getError('to')}
        onChange={({ target }) => update({ to: target.value })}
        onBlur={() => setTyping(false)}
      />
    </fieldset>
  );
}
