import { clsx } from 'clsx';
import { ArrowUpDown, Search } from 'lucide';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { type Day, useToday } from '../../features/calendar';
import { PageHeading } from '../../shell/PageHeading';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { type UrlState, useUrlState } from '../../lib/router/useUrlState';
import { Icon } from '../../ui/Icon';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/Field';
import { DESKTOP_UP, useMediaQuery } from '../../ui/useMediaQuery';
import type { Boat } from './boat';
import { useBoatsQuery } from './data/useBoatsQuery';
import { FilterSheet, FilterSide } from './FilterContainers';
import { FilterPanel } from './FilterPanel';
import {
  countActiveFilters,
  filterBoats,
  listLocations,
  NO_FILTERS,
  SORT_LABELS,
  sortBoats,
  SORTS,
} from './filters';
import * as styles from './MarketplacePage.module.css';
import { ResultCount, Results } from './Results';
import { type BoatSearch, createReaders, PARAMETER_NAMES } from './searchParams';

export { AppLayout as Layout } from '../../shell/AppLayout';

/** Render `/marketplace` (spec section 2, Marketplace). */
export default function MarketplacePage() {
  const t = useT();
  const today = useToday();
  const query = useBoatsQuery(today);
  return (
    <>
      <PageHeading title={t('marketplace.title')} lead={t('marketplace.lead')} />
      <QueryBoundary query={query}>{(boats) => <Marketplace boats={boats} today={today} />}</QueryBoundary>
    </>
  );
}

function Marketplace({ boats, today }: { boats: readonly Boat[]; today: Day }) {
  const { locale } = useIntl();
  const isWide = useMediaQuery(DESKTOP_UP);
  const locations = listLocations(boats, locale);
  const urlState = useUrlState(createReaders(locations.map(({ id }) => id)), PARAMETER_NAMES);
  const { state, commit } = urlState;
  const found = sortBoats(filterBoats(boats, state), state.sort);

  const clearFilters = () => commit(NO_FILTERS);
  const panel = <FilterPanel {...urlState} locations={locations} today={today} />;

  return (
    <div className={styles.columns}>
      {isWide && <FilterSide onClear={clearFilters}>{panel}</FilterSide>}
      <div className={styles.results}>
        <SearchTools {...urlState}>
          {!isWide && (
            <FilterSheet
              activeCount={countActiveFilters(state)}
              resultCount={found.length}
              status={<ResultCount boats={found} />}
              onClear={clearFilters}
            >
              {panel}
            </FilterSheet>
          )}
        </SearchTools>
        <Results boats={found} today={today} onClear={clearFilters} />
      </div>
    </div>
  );
}

interface SearchToolsProps extends UrlState<BoatSearch> {
  /** Further controls in the same row. */
  children: ReactNode;
}

/** Render the search field and the sort order above the boats. */
function SearchTools({ state, commit, setDraft, children }: SearchToolsProps) {
  const t = useT();
  const sorts = SORTS.map((sort) => ({ value: sort, label: t(SORT_LABELS[sort]) }));
  return (
    <div className={clsx('screen-only', styles.tools)}>
      <form role="search" className={styles.search} onSubmit={(event) => event.preventDefault()}>
        <TextField
          type="search"
          name="q"
          label={t('marketplace.search')}
          placeholder={t('marketplace.searchHint')}
          autoComplete="off"
          maxLength={100}
          value={state.search}
          onChange={({ target }) => setDraft({ search: target.value })}
        />
        <Icon icon={Search} size={20} />
      </form>
      <div className={styles.sort}>
        <SelectField
          name="sort"
          label={t('marketplace.sort')}
          value={state.sort}
          options={sorts}
          onChange={({ target }) => commit({ sort: target.value as BoatSearch['sort'] })}
        />
        <Icon icon={ArrowUpDown} size={20} />
      </div>
      {children}
    </div>
  );
}
