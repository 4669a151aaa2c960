import { Search } from 'lucide';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

import { Icon } from '../../ui/Icon';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/TextField';
import type { Listing } from './address';
import { SORT_LABELS } from './labels';
import * as styles from './ListingTools.module.css';
import { SORTS } from './sorting';
import type { ListingControl } from './useListing';

interface ListingToolsProps extends ListingControl {
  /** What else stands in the row. */
  children: ReactNode;
}

/** The row above the boats: what to search for, how to sort. */
export function ListingTools({ listing, choose, type, children }: ListingToolsProps) {
  const { formatMessage } = useIntl();
  const sorts = SORTS.map((sort) => ({ value: sort, label: formatMessage({ id: SORT_LABELS[sort] }) }));
  return (
    <div className={styles.tools}>
      <form role="search" className={styles.search} onSubmit={(event) => event.preventDefault()}>
        <TextField
          type="search"
          label={formatMessage({ id: 'marketplace.search' })}
          placeholder={formatMessage({ id: 'marketplace.searchHint' })}
          autoComplete="off"
          maxLength={100}
          value={listing.search}
          onChange={({ target }) => type({ search: target.value })}
        />
        <Icon of={Search} size={20} />
      </form>
      <SelectField
        label={formatMessage({ id: 'marketplace.sort' })}
        value={listing.sort}
        options={sorts}
        onChange={({ target }) => choose({ sort: target.value as Listing['sort'] })}
      />
      {children}
    </div>
  );
}
