import { useState } from 'react';

import { useT } from '../../i18n/LanguageProvider';
import type { Day } from '../../features/calendar';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import type { UrlState } from '../../lib/router/useUrlState';
import { FilterChips } from '../../ui/Choices';
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
} from './filters';
import { type BoatSearch, isPrice } from './searchParams';

interface FilterPanelProps extends UrlState<BoatSearch> {
  locations: readonly Location[];
  today: Day;
}

/** Render the filters (spec section 2, Marketplace). */
export function FilterPanel({ state, locations, today, commit, setDraft }: FilterPanelProps) {
  const t = useT();
  const format = useNumberFormats();
  const createBlankOption = (label: string) => ({ value: '', label });
  const lengths = LENGTHS.map((feet) => ({
    value: String(feet),
    label: t('marketplace.length', { feet, meters: format.meters(feet) }),
  }));
  const capacities = CAPACITIES.map((people) => ({
    value: String(people),
    label: t('marketplace.capacity', { people }),
  }));
  const types = BOAT_TYPES.map((value) => ({ value, label: t(TYPE_LABELS[value]) }));
  const owners = OWNER_TYPES.map((value) => ({ value, label: t(OWNER_LABELS[value]) }));

  return (
    <div className={styles.panel}>
      <SelectField
        label={t('marketplace.location')}
        value={state.location}
        options={[
          createBlankOption(t('marketplace.anywhere')),
          ...locations.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ target }) => commit({ location: target.value })}
      />
      <PeriodFields period={state} today={today} onChange={setDraft} />
      <FilterChips<BoatType | ''>
        label={t('marketplace.type')}
        chips={[{ value: '', label: t('marketplace.allTypes') }, ...types]}
        value={state.type}
        onChange={(value) => commit({ type: value })}
      />
      <FilterChips<OwnerType | ''>
        label={t('marketplace.ownerType')}
        chips={[{ value: '', label: t('marketplace.allOwners') }, ...owners]}
        value={state.ownerType}
        onChange={(value) => commit({ ownerType: value })}
      />
      <PriceFields prices={state} onChange={setDraft} />
      <div className={styles.pair}>
        <SelectField
          label={t('marketplace.minLength')}
          value={state.minLength ? String(state.minLength) : ''}
          options={[createBlankOption(t('marketplace.anyLength')), ...lengths]}
          onChange={({ target }) => commit({ minLength: Number(target.value) })}
        />
        <SelectField
          label={t('marketplace.minCapacity')}
          value={state.minCapacity ? String(state.minCapacity) : ''}
          options={[createBlankOption(t('marketplace.anyCapacity')), ...capacities]}
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
  const t = useT();
  return (
    <fieldset className={styles.range}>
      <legend>{t('marketplace.price')}</legend>
      <PriceField
        label={t('marketplace.minPrice')}
        value={minPrice}
        fallback={DEFAULT_MIN_PRICE}
        onChange={(price) => onChange({ minPrice: price })}
      />
      <PriceField
        label={t('marketplace.maxPrice')}
        value={maxPrice}
        fallback={DEFAULT_MAX_PRICE}
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
  onChange: (price: number) => void;
}

/** Render one bound: the text as typed, and after blur the price that applies. */
function PriceField({ label, value, fallback, onChange }: PriceFieldProps) {
  const [typed, setTyped] = useState<string>();

  function update({ value: text, validity }: HTMLInputElement) {
    setTyped(text);
    if (isPrice(text)) onChange(Number(text));
    else if (text === '' && !validity.badInput) onChange(fallback);
  }

  return (
    <TextField
      type="number"
      min={0}
      label={label}
      value={typed ?? String(value)}
      onChange={({ target }) => update(target)}
      onBlur={() => setTyped(undefined)}
    />
  );
}

interface PeriodFieldsProps {
  period: Period;
  today: Day;
  onChange: (change: Partial<Period>) => void;
}

/** Render the rental period. */
function PeriodFields({ period: { from, to }, today, onChange }: PeriodFieldsProps) {
  const t = useT();
  return (
    <fieldset className={styles.range}>
      <legend>{t('marketplace.period')}</legend>
      <TextField
        type="date"
        label={t('marketplace.from')}
        value={from}
        min={today}
        max="9999-12-31"
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        type="date"
        label={t('marketplace.to')}
        value={to}
        min={from > today ? from : today}
        max="9999-12-31"
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </fieldset>
  );
}
