import { useState } from 'react';
import { useIntl } from 'react-intl';

import type { Day } from '../../features/calendar';
import { useT } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import type { UrlState } from '../../lib/router/useUrlState';
import { FilterChips } from '../../ui/Choices';
import { TextField } from '../../ui/Field';
import { SelectField } from '../../ui/SelectField';
import {
  type Boat,
  BOAT_TYPES,
  type BoatType,
  OWNER_LABELS,
  OWNER_TYPES,
  type OwnerType,
  TYPE_LABELS,
} from './boat';
import * as styles from './FilterPanel.module.css';
import { type BoatSearch, CAPACITIES, LENGTHS, READERS } from './filters';

interface FilterPanelProps extends UrlState<BoatSearch> {
  boats: readonly Boat[];
  today: Day;
}

/** Render the filters (spec section 2, Marketplace). */
export function FilterPanel({ state, boats, today, change }: FilterPanelProps) {
  const t = useT();
  const format = useNumberFormats();
  const { compare } = new Intl.Collator(useIntl().locale);
  const locations = [...new Map(boats.map(({ locationId, location }) => [locationId, location]))];
  return (
    <div className={styles.panel}>
      <SelectField
        label={t('marketplace.location')}
        value={state.location}
        options={[
          { value: '', label: t('marketplace.anywhere') },
          ...locations
            .map(([value, label]) => ({ value, label }))
            .sort((one, other) => compare(one.label, other.label)),
        ]}
        onChange={({ target }) => change({ location: target.value })}
      />
      <fieldset className={styles.fields}>
        <legend>{t('marketplace.period')}</legend>
        <TextField
          type="date"
          label={t('marketplace.from')}
          value={state.from}
          min={today}
          max="9999-12-31"
          onChange={({ target }) => change({ from: target.value })}
        />
        <TextField
          type="date"
          label={t('marketplace.to')}
          value={state.to}
          min={state.from > today ? state.from : today}
          max="9999-12-31"
          onChange={({ target }) => change({ to: target.value })}
        />
      </fieldset>
      <FilterChips<BoatType | ''>
        label={t('marketplace.type')}
        chips={[
          { value: '', label: t('marketplace.allTypes') },
          ...BOAT_TYPES.map((value) => ({ value, label: t(TYPE_LABELS[value]) })),
        ]}
        value={state.type}
        onChange={(type) => change({ type })}
      />
      <FilterChips<OwnerType | ''>
        label={t('marketplace.ownerType')}
        chips={[
          { value: '', label: t('marketplace.allOwners') },
          ...OWNER_TYPES.map((value) => ({ value, label: t(OWNER_LABELS[value]) })),
        ]}
        value={state.ownerType}
        onChange={(ownerType) => change({ ownerType })}
      />
      <fieldset className={styles.fields}>
        <legend>{t('marketplace.price')}</legend>
        <PriceField
          label={t('marketplace.minPrice')}
          value={state.minPrice}
          onChange={(text) => change({ minPrice: READERS.minPrice(text) })}
        />
        <PriceField
          label={t('marketplace.maxPrice')}
          value={state.maxPrice}
          onChange={(text) => change({ maxPrice: READERS.maxPrice(text) })}
        />
      </fieldset>
      <div className={styles.fields}>
        <SelectField
          label={t('marketplace.minLength')}
          value={state.minLength || ''}
          options={[
            { value: '', label: t('marketplace.anyLength') },
            ...LENGTHS.map((feet) => ({
              value: String(feet),
              label: t('marketplace.length', { feet, meters: format.meters(feet) }),
            })),
          ]}
          onChange={({ target }) => change({ minLength: Number(target.value) })}
        />
        <SelectField
          label={t('marketplace.minCapacity')}
          value={state.minCapacity || ''}
          options={[
            { value: '', label: t('marketplace.anyCapacity') },
            ...CAPACITIES.map((people) => ({
              value: String(people),
              label: t('marketplace.capacity', { people }),
            })),
          ]}
          onChange={({ target }) => change({ minCapacity: Number(target.value) })}
        />
      </div>
    </div>
  );
}

interface PriceFieldProps {
  label: string;
  value: number;
  onChange: (text: string) => void;
}

/** Render one bound of the price: the text as typed, and after blur the price that applies. */
function PriceField({ label, value, onChange }: PriceFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      type="number"
      min={0}
      label={label}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(target.value);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
