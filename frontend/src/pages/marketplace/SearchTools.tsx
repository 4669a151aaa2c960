import { ArrowUpDown, Search } from 'lucide';
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useIntl } from 'react-intl';

import { useTypedValues } from '../../forms/useTypedValues';
import type { UrlState } from '../../routing/useUrlState';
import { Icon } from '../../ui/Icon';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/Field';
import { useHydrated } from '../../ui/useHydrated';
import { SORT_LABELS, SORTS } from './filters';
import type { BoatSearch } from './searchParams';
import * as styles from './SearchTools.module.css';

interface SearchToolsProps extends UrlState<BoatSearch> {
  /** Further controls in the same row. */
  children: ReactNode;
}

/** Render the search field and the sort order above the boats. */
export function SearchTools({ state, commit, setDraft, children }: SearchToolsProps) {
  const { formatMessage } = useIntl();
  const isHydrated = useHydrated();
  const tools = useRef<HTMLDivElement>(null);
  const early = useRef<Partial<BoatSearch>>({});

  useTypedValues(tools);
  // The visitor may have used the fields before hydration, and the next render would reset them.
  const readFields = useEffectEvent(() => {
    const search = tools.current?.querySelector('input')?.value ?? '';
    const sort = tools.current?.querySelector('select')?.value as BoatSearch['sort'];
    early.current = { ...(search !== state.search && { search }), ...(sort !== state.sort && { sort }) };
  });
  useLayoutEffect(() => readFields(), []);

  // Only then does the state have the filters of the address.
  const applyEarly = useEffectEvent(() => {
    if (Object.keys(early.current).length > 0) setDraft(early.current);
  });
  useLayoutEffect(() => {
    if (isHydrated) applyEarly();
  }, [isHydrated]);

  const sorts = SORTS.map((sort) => ({ value: sort, label: formatMessage({ id: SORT_LABELS[sort] }) }));
  return (
    <div ref={tools} className={styles.tools}>
      <form role="search" className={styles.search} onSubmit={(event) => event.preventDefault()}>
        <TextField
          type="search"
          name="q"
          label={formatMessage({ id: 'marketplace.search' })}
          placeholder={formatMessage({ id: 'marketplace.searchHint' })}
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
          label={formatMessage({ id: 'marketplace.sort' })}
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
