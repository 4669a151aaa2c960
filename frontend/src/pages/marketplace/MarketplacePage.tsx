import { clsx } from 'clsx';
import { ArrowUpDown, Sailboat, Search, SlidersHorizontal } from 'lucide';
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { type Day, useToday } from '../../features/calendar';
import { Text, useT } from '../../i18n/LanguageProvider';
import { useUrlState } from '../../lib/router/useUrlState';
import { PageHeading } from '../../shell/PageHeading';
import { Button, type ButtonVariant } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { SelectField } from '../../ui/SelectField';
import { StateCard } from '../../ui/StateCard';
import { useMediaQuery, WIDE_UP } from '../../ui/useMediaQuery';
import type { Boat } from './boat';
import { BoatCard } from './BoatCard';
import { BoatDialog } from './BoatDialog';
import { useBoatsQuery } from './data/useBoatsQuery';
import { FilterPanel } from './FilterPanel';
import {
  type BoatSearch,
  countActiveFilters,
  findBoats,
  NO_SEARCH,
  READERS,
  SORT_LABELS,
  SORTS,
} from './filters';
import * as styles from './MarketplacePage.module.css';

export { AppLayout as Layout } from '../../shell/AppLayout';

/** Cards on the first screen. */
const FIRST_CARDS = 3;

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
  const t = useT();
  const titleId = useId();
  const isWide = useMediaQuery(WIDE_UP);
  const urlState = useUrlState(READERS);
  const { state, change } = urlState;
  // An open boat may no longer be found after Back.
  const [openBoat, setOpenBoat] = useState<Boat>();
  const searchForm = useRef<HTMLFormElement>(null);
  const found = findBoats(boats, state);

  // Before the next render, in which React would reset what was typed before hydration.
  const takeOver = useEffectEvent(() => {
    const form = searchForm.current;
    if (form) change({ search: new FormData(form).get('search') as string });
  });
  useLayoutEffect(() => takeOver(), []);

  const clearAll = (variant: ButtonVariant) => (
    <Button
      variant={variant}
      aria-disabled={countActiveFilters(state) === 0 && !state.search}
      onClick={() => change({ ...NO_SEARCH, sort: state.sort })}
    >
      {t('marketplace.clearAll')}
    </Button>
  );
  const panel = <FilterPanel {...urlState} boats={boats} today={today} />;

  return (
    <div className={styles.columns}>
      {isWide && (
        <section className={clsx('screen-only', styles.side)} aria-labelledby={titleId}>
          <div className={styles.heading}>
            <h2 id={titleId} className="title">
              {t('marketplace.filters')}
            </h2>
            {clearAll('ghost')}
          </div>
          {panel}
        </section>
      )}
      <div className={styles.results}>
        <div className={clsx('screen-only', styles.tools)}>
          <form
            ref={searchForm}
            role="search"
            className={styles.search}
            onSubmit={(event) => event.preventDefault()}
          >
            <TextField
              type="search"
              name="search"
              label={t('marketplace.search')}
              placeholder={t('marketplace.searchHint')}
              autoComplete="off"
              maxLength={100}
              value={state.search}
              onChange={({ target }) => change({ search: target.value })}
            />
            <Icon icon={Search} size={20} />
          </form>
          <div className={styles.sort}>
            <SelectField
              name="sort"
              label={t('marketplace.sort')}
              value={state.sort}
              options={SORTS.map((sort) => ({ value: sort, label: t(SORT_LABELS[sort]) }))}
              onChange={({ target }) => change({ sort: target.value as BoatSearch['sort'] })}
            />
            <Icon icon={ArrowUpDown} size={20} />
          </div>
          {!isWide && (
            <FilterSheet search={state} found={found} clearButton={clearAll('ghost')}>
              {panel}
            </FilterSheet>
          )}
        </div>
        <ResultCount boats={found} />
        {found.length > 0 ? (
          <ul className={clsx('stack', styles.list)} aria-label={t('marketplace.results')}>
            {found.map((boat, index) => (
              <li key={boat.id}>
                <BoatCard boat={boat} lazy={index >= FIRST_CARDS} onOpen={() => setOpenBoat(boat)} />
              </li>
            ))}
          </ul>
        ) : (
          <StateCard
            icon={Sailboat}
            title={t('marketplace.noneFound')}
            hint={t('marketplace.noneFoundHint')}
            action={clearAll('secondary')}
          />
        )}
      </div>
      {openBoat && <BoatDialog boat={openBoat} today={today} onClose={() => setOpenBoat(undefined)} />}
    </div>
  );
}

interface FilterSheetProps {
  search: BoatSearch;
  found: readonly Boat[];
  clearButton: ReactNode;
  children: ReactNode;
}

/** Render a button that opens the filters in a dialog, in a narrow window. */
function FilterSheet({ search, found, clearButton, children }: FilterSheetProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const activeCount = countActiveFilters(search);
  return (
    <>
      <Button
        variant="secondary"
        className={styles.openButton}
        aria-haspopup="dialog"
        aria-label={t('marketplace.filtersChosen', { count: activeCount })}
        onClick={() => setOpen(true)}
      >
        <Icon icon={SlidersHorizontal} size={20} />
        <FormattedMessage id="marketplace.filters" />
        {activeCount > 0 && <span className={styles.activeCount}>{activeCount}</span>}
      </Button>
      {isOpen && (
        <Dialog
          onClose={() => setOpen(false)}
          title={t('marketplace.filters')}
          footer={
            <div className={styles.actions}>
              {clearButton}
              <Button onClick={() => setOpen(false)}>
                {t('marketplace.showBoats', { count: found.length })}
              </Button>
            </div>
          }
        >
          {children}
          {/* What is below an open dialog is inert. */}
          <div className="visually-hidden">
            <ResultCount boats={found} />
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Announce how many of the found boats are available and how many are not. */
function ResultCount({ boats }: { boats: readonly Boat[] }) {
  const available = boats.filter((boat) => boat.available).length;
  return (
    <p role="status" className={clsx('second', styles.count)}>
      <FormattedMessage
        id="marketplace.available"
        values={{
          count: available,
          others: boats.length - available,
          strong: (text) => (
            <strong className={styles.available}>
              <Text>{text}</Text>
            </strong>
          ),
        }}
      />
    </p>
  );
}
