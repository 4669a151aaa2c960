import { clsx } from 'clsx';
import { Sailboat } from 'lucide';
import { useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../features/calendar';
import { Text, useT } from '../../i18n/LanguageProvider';
import { StateCard } from '../../ui/StateCard';
import type { Boat } from './boat';
import { BoatCard } from './BoatCard';
import { BoatDialog } from './BoatDialog';
import { ClearAll } from './FilterContainers';
import * as styles from './Results.module.css';

/** Cards on the first screen. */
const FIRST_CARDS = 3;

interface ResultsProps {
  /** The found boats. */
  boats: readonly Boat[];
  today: Day;
  onClear: () => void;
}

/** Render the found boats and a dialog with the details of one. */
export function Results({ boats, today, onClear }: ResultsProps) {
  const t = useT();
  const container = useRef<HTMLDivElement>(null);
  // An open boat may no longer be found after Back.
  const [openBoat, setOpenBoat] = useState<Boat>();

  function clear() {
    // The focused button disappears.
    container.current?.focus({ preventScroll: true });
    onClear();
  }

  return (
    <div ref={container} tabIndex={-1}>
      <ResultCount boats={boats} />
      {boats.length > 0 ? (
        <ul className={clsx('stack', styles.list)} aria-label={t('marketplace.results')}>
          {boats.map((boat, index) => (
            <li key={boat.id}>
              <BoatCard boat={boat} isFirst={index < FIRST_CARDS} onOpen={setOpenBoat} />
            </li>
          ))}
        </ul>
      ) : (
        <StateCard
          icon={Sailboat}
          title={t('marketplace.noneFound')}
          hint={t('marketplace.noneFoundHint')}
          action={<ClearAll variant="secondary" onClick={clear} />}
        />
      )}
      {openBoat && <BoatDialog boat={openBoat} today={today} onClose={() => setOpenBoat(undefined)} />}
    </div>
  );
}

/** Announce how many of the found boats are available and how many are not. */
export function ResultCount({ boats }: { boats: readonly Boat[] }) {
  const available = boats.filter((boat) => boat.available).length;
  return (
    <p role="status" className={styles.count}>
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
