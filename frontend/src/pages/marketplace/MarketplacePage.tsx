import { useDeferredValue, useMemo } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import { useToday } from '../../calendar/useToday';
import { PageHeading } from '../../layouts/PageHeading';
import { QueryBoundary } from '../../loading/QueryBoundary';
import { useUrlState } from '../../routing/useUrlState';
import { DESKTOP_UP, useMediaQuery } from '../../ui/useMediaQuery';
import type { Boat } from './boat';
import { useBoatsQuery } from './data/useBoatsQuery';
import { FilterSheet, FilterSide } from './FilterContainers';
import { FilterPanel } from './FilterPanel';
import { countActiveFilters, filterBoats, indexBoats, listLocations, NO_FILTERS, sortBoats } from './filters';
import * as styles from './MarketplacePage.module.css';
import { validatePeriod } from './period';
import { Results } from './Results';
import { readSearch, writeSearch } from './searchParams';
import { SearchTools } from './SearchTools';

export { AppLayout as Layout } from '../../layouts/AppLayout';

/** Render `/marketplace` (spec section 2, Marketplace). */
export default function MarketplacePage() {
  const today = useToday();
  const query = useBoatsQuery(today);
  return (
    <>
      <PageHeading
        title={<FormattedMessage id="marketplace.title" />}
        lead={<FormattedMessage id="marketplace.lead" />}
      />
      <QueryBoundary query={query}>{(boats) => <Marketplace boats={boats} today={today} />}</QueryBoundary>
    </>
  );
}

function Marketplace({ boats, today }: { boats: readonly Boat[]; today: Day }) {
  const { locale } = useIntl();
  const isWide = useMediaQuery(DESKTOP_UP);
  const locations = useMemo(() => listLocations(boats, locale), [boats, locale]);
  const index = useMemo(() => indexBoats(boats), [boats]);
  const locationIds = useMemo(() => locations.map(({ id }) => id), [locations]);
  const urlState = useUrlState((params) => readSearch(params, locationIds), writeSearch);

  // The fields change at once; the list follows at a lower priority.
  const search = useDeferredValue(urlState.state);
  const found = useMemo(
    () => sortBoats(filterBoats(index, search, today), search.sort),
    [index, search, today],
  );

  const clearFilters = () => urlState.commit(NO_FILTERS);
  const panel = <FilterPanel {...urlState} locations={locations} today={today} />;

  return (
    <div className={styles.columns}>
      {isWide && <FilterSide onClear={clearFilters}>{panel}</FilterSide>}
      <div className={styles.results}>
        <SearchTools {...urlState}>
          {!isWide && (
            <FilterSheet
              activeCount={countActiveFilters(urlState.state)}
              resultCount={found.length}
              onClear={clearFilters}
            >
              {panel}
            </FilterSheet>
          )}
        </SearchTools>
        <Results
          boats={found}
          allBoats={boats}
          today={today}
          // In a wide window its field says why.
          isPeriodIgnored={!isWide && validatePeriod(search, today) !== undefined}
          onClear={clearFilters}
        />
      </div>
    </div>
  );
}
