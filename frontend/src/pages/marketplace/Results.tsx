import { Sailboat } from 'lucide';
import { useCallback, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { trackButton } from '../../consent/track';
import type { Day } from '../../calendar/day';
import { EmptyState } from '../../ui/EmptyState';
import type { Boat } from './boat';
import { BoatDialog } from './BoatDialog';
import { BoatList } from './BoatList';
import { ClearAll } from './ClearAll';
import { ResultCount } from './ResultCount';

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
