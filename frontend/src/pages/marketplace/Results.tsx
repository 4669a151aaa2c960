import { Sailboat } from 'lucide';
import { useCallback, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { trackButton } from '../../consent/track';
import { Text } from '../../i18n/LanguageProvider';
import { EmptyState } from '../../ui/EmptyState';
import type { Boat } from './boat';
import { BoatDialog } from './BoatDialog';
import { BoatList } from './BoatList';
import { ClearAll } from './FilterContainers';
import * as styles from './Results.module.css';

interface ResultsProps {
  /** The found boats. */
  boats: readonly Boat[];
  /** Every boat: an open one may no longer be found after Back. */
  allBoats: readonly Boat[];
  today: Day;
  /** Whether a rental period was chosen that cannot be. */
  isPeriodIgnored: boolean;
  onClear: () => void;
}

/** Render the found boats and a dialog with the details of one. */
export function Results({ boats, allBoats, today, isPeriodIgnored, onClear }: ResultsProps) {
  const container = useRef<HTMLDivElement>(null);
  const [openId, setOpenId] = useState<Boat['id']>();
  const openDetails = useCallback((boat: Boat) => {
    trackButton('view_details', 'marketplace', boat.id);
    setOpenId(boat.id);
  }, []);

  function clear() {
    // The focused button disappears.
    container.current?.focus({ preventScroll: true });
    onClear();
  }

  return (
    <div ref={container} tabIndex={-1}>
      <ResultCount boats={boats} isPeriodIgnored={isPeriodIgnored} />
      {boats.length > 0 ? (
        <BoatList boats={boats} onOpen={openDetails} />
      ) : (
        <EmptyState
          icon={Sailboat}
          title={<FormattedMessage id="marketplace.noneFound" />}
          hint={<FormattedMessage id="marketplace.noneFoundHint" />}
          action={<ClearAll variant="secondary" onClick={clear} />}
        />
      )}
      <BoatDialog
        boat={allBoats.find(({ id }) => id === openId)}
        today={today}
        onClose={() => setOpenId(undefined)}
      />
    </div>
  );
}

interface ResultCountProps {
  boats: readonly Boat[];
  isPeriodIgnored: boolean;
}

/** Announce how many of the found boats are available and how many are not. */
function ResultCount({ boats, isPeriodIgnored }: ResultCountProps) {
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
      {isPeriodIgnored && (
        <span className={styles.ignored}>
          <FormattedMessage id="marketplace.periodIgnored" />
        </span>
      )}
    </p>
  );
}
