import { memo, useEffect, useRef, useState } from 'react';
import { FormattedMessage, FormattedNumber, useIntl } from 'react-intl';

import { Button } from '../../ui/Button';
import type { Boat } from './boat';
import { BoatCard } from './BoatCard';
import * as styles from './BoatList.module.css';

/** How many boats show at first, and come with each press: whole rows of two, three and four. */
const STEP = 24;

/** How many cards a window shows when the page opens. */
const FIRST = 3;

interface BoatListProps {
  boats: readonly Boat[];
  /** The same function at every render. */
  onOpen: (boat: Boat) => void;
}

/** The boats that were found: the first ones at once, more when asked for. */
export const BoatList = memo(function BoatList({ boats, onOpen }: BoatListProps) {
  const { formatMessage } = useIntl();
  const [of, setOf] = useState(boats);
  const [shown, setShown] = useState(STEP);
  const list = useRef<HTMLUListElement>(null);
  const firstNew = useRef<number>(undefined);

  if (of !== boats) {
    setOf(boats);
    setShown(STEP);
  }

  useEffect(() => {
    // The button moves away, or goes: whoever reads on does so from the first boat that has come.
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
            <BoatCard boat={boat} isFirst={index < FIRST} onOpen={onOpen} />
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
