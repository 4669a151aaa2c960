import { clsx } from 'clsx';
import { SlidersHorizontal } from 'lucide';
import { type ReactNode, useId, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { Button, type ButtonVariant } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Icon } from '../../ui/Icon';
import * as styles from './FilterContainers.module.css';

interface FilterSheetProps {
  activeCount: number;
  resultCount: number;
  /** Announces how many boats are found: what is below the open dialog is inert. */
  status: ReactNode;
  onClear: () => void;
  children: ReactNode;
}

/** Render a button that opens the filters in a dialog, in a narrow window. */
export function FilterSheet({ activeCount, resultCount, status, onClear, children }: FilterSheetProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
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
      {open && (
        <Dialog
          onClose={close}
          title={t('marketplace.filters')}
          footer={
            <div className={styles.actions}>
              <ClearAll onClick={onClear} />
              <Button onClick={close}>{t('marketplace.showBoats', { count: resultCount })}</Button>
            </div>
          }
        >
          {children}
          <div className="visually-hidden">{status}</div>
        </Dialog>
      )}
    </>
  );
}

/** Render the filters beside the boats, in a wide window. */
export function FilterSide({ onClear, children }: { onClear: () => void; children: ReactNode }) {
  const t = useT();
  const titleId = useId();
  return (
    <section className={clsx('screen-only', styles.side)} aria-labelledby={titleId}>
      <div className={styles.heading}>
        <h2 id={titleId} className={styles.title}>
          {t('marketplace.filters')}
        </h2>
        <ClearAll onClick={onClear} />
      </div>
      {children}
    </section>
  );
}

/** Render a button that clears the search and every filter. */
export function ClearAll({ variant = 'ghost', onClick }: { variant?: ButtonVariant; onClick: () => void }) {
  const t = useT();
  return (
    <Button variant={variant} onClick={onClick}>
      {t('marketplace.clearAll')}
    </Button>
  );
}
