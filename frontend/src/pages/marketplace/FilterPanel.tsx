import { useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import { FilterChips } from '../../ui/FilterChips';
import { SelectField } from '../../ui/SelectField';
import { BOAT_TYPES, type BoatType, OWNER_TYPES, type OwnerType } from './boat';
import * as styles from './FilterPanel.module.css';
import { CAPACITIES, LENGTHS } from './filters';
import { OWNER_LABELS, TYPE_LABELS } from './labels';
import { PeriodFields } from './PeriodFields';
import { PriceFields } from './PriceFields';
import type { ListingControl } from './useListing';

interface FilterPanelProps extends ListingControl {
  locations: readonly string[];
  today: Day;
}

/** The questions that narrow the list of boats (spec section 2, Marketplace). */
export function FilterPanel({ listing, locations, today, choose, type }: FilterPanelProps) {
  const { formatMessage } = useIntl();

  const any = (label: string) => ({ value: '', label });
  const lengths = LENGTHS.map((feet) => ({
    value: String(feet),
    label: formatMessage({ id: 'marketplace.length' }, { feet }),
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
        value={listing.location}
        options={[
          any(formatMessage({ id: 'marketplace.anywhere' })),
          ...locations.map((location) => ({ value: location, label: location })),
        ]}
        onChange={({ target }) => choose({ location: target.value })}
      />
      <PeriodFields period={listing} today={today} onChange={type} />
      <FilterChips<BoatType | ''>
        label={formatMessage({ id: 'marketplace.type' })}
        chips={[{ value: '', label: formatMessage({ id: 'marketplace.allTypes' }) }, ...types]}
        value={listing.type}
        onChange={(value) => choose({ type: value })}
      />
      <FilterChips<OwnerType | ''>
        label={formatMessage({ id: 'marketplace.ownerType' })}
        chips={[{ value: '', label: formatMessage({ id: 'marketplace.allOwners' }) }, ...owners]}
        value={listing.ownerType}
        onChange={(value) => choose({ ownerType: value })}
      />
      <PriceFields prices={listing} onChange={type} />
      <div className={styles.pair}>
        <SelectField
          label={formatMessage({ id: 'marketplace.minLength' })}
          value={listing.minLength ? String(listing.minLength) : ''}
          options={[any(formatMessage({ id: 'marketplace.anyLength' })), ...lengths]}
          onChange={({ target }) => choose({ minLength: Number(target.value) })}
        />
        <SelectField
          label={formatMessage({ id: 'marketplace.minCapacity' })}
          value={listing.minCapacity ? String(listing.minCapacity) : ''}
          options={[any(formatMessage({ id: 'marketplace.anyCapacity' })), ...capacities]}
          onChange={({ target }) => choose({ minCapacity: Number(target.value) })}
        />
      </div>
    </div>
  );
}
