import { Sailboat } from 'lucide';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { FormattedMessage, FormattedNumber, useIntl } from 'react-intl';

import type { Day } from '../../features/calendar/day';
import { trackButton } from '../../consent/track';
import { Text } from '../../i18n/LanguageProvider';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import type { Boat } from './boat';
import { BoatCard } from './BoatCard';
import { BoatDialog } from './BoatDialog';
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
  const openBoat = allBoats.find(({ id }) => id === openId);
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
      {openBoat && <BoatDialog boat={openBoat} today={today} onClose={() => setOpenId(undefined)} />}
    </div>
  );
}

interface ResultCountProps {
  boats: readonly Boat[];
  isPeriodIgnored?: boolean;
}

/** Announce how many of the found boats are available and how many are not. */
export function ResultCount({ boats, isPeriodIgnored = false }: ResultCountProps) {
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

/** Boats per step: whole rows of two, three and four columns. */
const STEP = 24;

/** Cards on the first screen. */
const FIRST_CARDS = 3;

interface BoatListProps {
  boats: readonly Boat[];
  /** Must be stable between renders. */
  onOpen: (boat: Boat) => void;
}

/** Render the boats in steps, with a button that shows more. */
export const BoatList = memo(function BoatList({ boats, onOpen }: BoatListProps) {
  const { formatMessage } = useIntl();
  const [shownBoats, setShownBoats] = useState(boats);
  const [shown, setShown] = useState(STEP);
  const list = useRef<HTMLUListElement>(null);
  const firstNew = useRef<number>(undefined);

  if (shownBoats !== boats) {
    setShownBoats(boats);
    setShown(STEP);
  }

  useEffect(() => {
    // The button moves or disappears, so the focus moves to the first new boat.
    const item = firstNew.current === undefined ? undefined : list.current?.children[firstNew.current];
    firstNew.current = undefined;
    if (item instanceof HTMLElement) item.focus();
  }, [shown]);

  function showMore() {
    firstNew.current = shown;
    setShown(shown + STEP);
  }

  return (
    <>
      <ul ref={list} className={styles.list} aria-label={formatMessage({ id: 'marketplace.results' })}>
        {boats.slice(0, shown).map((boat, index) => (
          <li key={boat.id} tabIndex={-1}>
            <BoatCard boat={boat} isFirst={index < FIRST_CARDS} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {shown < boats.length && (
        <div className={styles.more}>
          <p>
            <FormattedMessage
              id="marketplace.shown"
              values={{
                shown: <FormattedNumber value={shown} />,
                total: <FormattedNumber value={boats.length} />,
              }}
            />
          </p>
          <Button variant="secondary" onClick={showMore}>
            <FormattedMessage id="marketplace.showMore" />
          </Button>
        </div>
      )}
    </>
  );
});
