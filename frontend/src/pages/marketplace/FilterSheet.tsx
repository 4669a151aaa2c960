import { SlidersHorizontal } from 'lucide';
import { type ReactNode, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Icon } from '../../ui/Icon';
import { ClearAll } from './ClearAll';
import * as styles from './FilterSheet.module.css';

interface FilterSheetProps {
  /** How many questions are answered. */
  chosen: number;
  /** How many boats show when it is closed. */
  found: number;
  onClear: () => void;
  /** The questions. */
  children: ReactNode;
}

/** The filter panel of a narrow window: a button, and the sheet that it opens over the boats. */
export function FilterSheet({ chosen, found, onClear, children }: FilterSheetProps) {
  const { formatMessage } = useIntl();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="secondary"
        className={styles.button}
        aria-haspopup="dialog"
        aria-label={formatMessage({ id: 'marketplace.filtersChosen' }, { count: chosen })}
        onClick={() => setOpen(true)}
      >
        <Icon of={SlidersHorizontal} size={20} />
        <FormattedMessage id="marketplace.filters" />
        {chosen > 0 && <span className={styles.chosen}>{chosen}</span>}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={<FormattedMessage id="marketplace.filters" />}
        foot={
          <div className={styles.foot}>
            <ClearAll onClick={onClear} />
            <Button onClick={close}>
              <FormattedMessage id="marketplace.showBoats" values={{ count: found }} />
            </Button>
          </div>
        }
      >
        {children}
      </Dialog>
    </>
  );
}
