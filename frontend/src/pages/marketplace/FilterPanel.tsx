import { useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import type { UrlState } from '../../routing/useUrlState';
import { FilterChips } from '../../ui/FilterChips';
import { SelectField } from '../../ui/SelectField';
import { BOAT_TYPES, type BoatType, OWNER_LABELS, OWNER_TYPES, type OwnerType, TYPE_LABELS } from './boat';
import * as styles from './FilterPanel.module.css';
import { CAPACITIES, LENGTHS, type Location } from './filters';
import { PeriodFields } from './PeriodFields';
import { PriceFields } from './PriceFields';
import type { BoatSearch } from './searchParams';

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
