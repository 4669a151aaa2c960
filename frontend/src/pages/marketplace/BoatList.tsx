import { memo, useEffect, useRef, useState } from 'react';
import { FormattedMessage, FormattedNumber, useIntl } from 'react-intl';

import { Button } from '../../ui/Button';
import type { Boat } from './boat';
import { BoatCard } from './BoatCard';
import * as styles from './BoatList.module.css';

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
