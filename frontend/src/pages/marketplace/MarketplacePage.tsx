import { useDeferredValue, useMemo } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { useToday } from '../../calendar/useToday';
import { ProfileLayout } from '../../shell/ProfileLayout';
import { ClientOnly } from '../../ui/ClientOnly';
import { PageHeading } from '../../ui/PageHeading';
import { useMediaQuery } from '../../ui/useMediaQuery';
import { FilterPanel } from './FilterPanel';
import { countChosen, findBoats, indexOf, locationsOf, NO_FILTERS } from './filters';
import { FilterSheet } from './FilterSheet';
import { FilterSide } from './FilterSide';
import { ListingTools } from './ListingTools';
import * as styles from './MarketplacePage.module.css';
import { Results } from './Results';
import { sortBoats } from './sorting';
import { useBoats } from './useBoats';
import { useListing } from './useListing';

/** `/marketplace`: boats for rent, searched, filtered and sorted (spec section 2, Marketplace). */
export function MarketplacePage() {
  return (
    <ProfileLayout>
      <PageHeading
        title={<FormattedMessage id="marketplace.title" />}
        lead={<FormattedMessage id="marketplace.lead" />}
      />
      <ClientOnly>
        <Listing />
      </ClientOnly>
    </ProfileLayout>
  );
}

function Listing() {
  const { locale } = useIntl();
  const today = useToday();
  const isWide = useMediaQuery('(width >= 1024px)');

  const boats = useBoats(today);
  const locations = useMemo(() => locationsOf(boats, locale), [boats, locale]);
  const control = useListing(locations);

  // What is typed shows at once; the list follows when there is time.
  const wanted = useDeferredValue(control.listing);
  const entries = useMemo(() => indexOf(boats), [boats]);
  const found = useMemo(
    () => sortBoats(findBoats(entries, wanted, today), wanted.sort),
    [entries, wanted, today],
  );

  const clearAll = () => control.choose(NO_FILTERS);
  const panel = <FilterPanel {...control} locations={locations} today={today} />;

  return (
    <div className={styles.columns}>
      {isWide && <FilterSide onClear={clearAll}>{panel}</FilterSide>}
      <div>
        <ListingTools {...control}>
          {!isWide && (
            <FilterSheet chosen={countChosen(control.listing)} found={found.length} onClear={clearAll}>
              {panel}
            </FilterSheet>
          )}
        </ListingTools>
        <Results boats={found} today={today} onClear={clearAll} />
      </div>
    </div>
  );
}
