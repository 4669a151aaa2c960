import { SlidersHorizontal } from 'lucide';
import { type ReactNode, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Icon } from '../../ui/Icon';
import { ClearAll } from './ClearAll';
import * as styles from './FilterSheet.module.css';

interface FilterSheetProps {
  activeCount: number;
  resultCount: number;
  onClear: () => void;
  children: ReactNode;
}

/** Render a button that opens the filters in a dialog, in a narrow window. */
export function FilterSheet({ activeCount, resultCount, onClear, children }: FilterSheetProps) {
  const { formatMessage } = useIntl();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="secondary"
        className={styles.button}
        aria-haspopup="dialog"
        aria-label={formatMessage({ id: 'marketplace.filtersChosen' }, { count: activeCount })}
        onClick={() => setOpen(true)}
      >
        <Icon of={SlidersHorizontal} size={20} />
        <FormattedMessage id="marketplace.filters" />
        {activeCount > 0 && <span className={styles.activeCount}>{activeCount}</span>}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={<FormattedMessage id="marketplace.filters" />}
        foot={
          <div className={styles.foot}>
            <ClearAll onClick={onClear} />
            <Button onClick={close}>
              <FormattedMessage id="marketplace.showBoats" values={{ count: resultCount }} />
            </Button>
          </div>
        }
      >
        {children}
      </Dialog>
    </>
  );
}
