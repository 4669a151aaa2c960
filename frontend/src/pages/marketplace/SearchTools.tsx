import { ArrowUpDown, Search } from 'lucide';
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useIntl } from 'react-intl';

import type { UrlState } from '../../navigation/useUrlState';
import { Icon } from '../../ui/Icon';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/TextField';
import type { BoatSearch } from './searchParams';
import * as styles from './SearchTools.module.css';
import { SORT_LABELS, SORTS } from './sorting';

interface SearchToolsProps extends UrlState<BoatSearch> {
  /** Further controls in the same row. */
  children: ReactNode;
}

/** Render the search field and the sort order above the boats. */
export function SearchTools({ state, commit, setDraft, children }: SearchToolsProps) {
  const { formatMessage } = useIntl();
  const form = useRef<HTMLFormElement>(null);
  const readField = useEffectEvent(() => {
    const typed = form.current?.querySelector('input')?.value ?? '';
    if (typed !== state.search) setDraft({ search: typed });
  });
  // The visitor may have typed before hydration, and the next render would reset the field.
  useLayoutEffect(() => readField(), []);

  const sorts = SORTS.map((sort) => ({ value: sort, label: formatMessage({ id: SORT_LABELS[sort] }) }));
  return (
    <div className={styles.tools}>
      <form ref={form} role="search" className={styles.search} onSubmit={(event) => event.preventDefault()}>
        <TextField
          type="search"
          label={formatMessage({ id: 'marketplace.search' })}
          placeholder={formatMessage({ id: 'marketplace.searchHint' })}
          autoComplete="off"
          maxLength={100}
          value={state.search}
          onChange={({ target }) => setDraft({ search: target.value })}
        />
        <Icon of={Search} size={20} />
      </form>
      <div className={styles.sort}>
        <SelectField
          label={formatMessage({ id: 'marketplace.sort' })}
          value={state.sort}
          options={sorts}
          onChange={({ target }) => commit({ sort: target.value as BoatSearch['sort'] })}
        />
        <Icon of={ArrowUpDown} size={20} />
      </div>
      {children}
    </div>
  );
}
