import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

import { type Listing, readListing, writeListing } from './address';

/** How long after the last key the address says what was typed, in milliseconds: browsers bear few changes a second. */
const PAUSE = 300;

/** The state of an entry of the history that this screen has written, and so knows. */
const OWN = 'marketplace-listing';

export interface ListingControl {
  listing: Listing;
  /** Something was chosen: a step of its own, which Back takes back. */
  choose: (change: Partial<Listing>) => void;
  /** Something is being typed: the present step goes on. */
  type: (change: Partial<Listing>) => void;
}

/**
 * What the visitor asked to see, kept in the address: it can be shared, and Back and Forward go through the choices.
 *
 * @param locations the places that can be chosen
 */
export function useListing(locations: readonly string[]): ListingControl {
  const { key, search, ...location } = useLocation();
  const state: unknown = location.state;
  const navigation = useNavigationType();
  const navigate = useNavigate();
  const [listing, setListing] = useState(() => readListing(search, locations));
  const [entry, setEntry] = useState(key);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Whoever is typing is ahead of the addresses that tell of it; any other address leads the screen.
  if (entry !== key) {
    setEntry(key);
    if (navigation === NavigationType.Pop || state !== OWN) setListing(readListing(search, locations));
  }

  function write(next: Listing, how: { replace: boolean }) {
    stopTyping(typing);
    void navigate({ search: writeListing(next) }, { ...how, state: OWN });
  }

  /** Has the address say at once what is typed. */
  const settle = useEffectEvent(() => {
    if (typing.current !== undefined) write(listing, { replace: true });
  });

  useEffect(() => {
    // A field is left before anything else is chosen or followed: the step behind has in it what was typed, and no
    // later page, which may take its time to come, has its address written over.
    const left = new AbortController();
    document.addEventListener('focusout', () => settle(), left);
    window.addEventListener('popstate', () => stopTyping(typing), left);
    return () => {
      left.abort();
      stopTyping(typing);
    };
  }, []);

  return {
    listing,
    choose(change) {
      const next = { ...listing, ...change };
      setListing(next);
      if (writeListing(next) !== writeListing(listing)) write(next, { replace: false });
    },
    type(change) {
      const next = { ...listing, ...change };
      setListing(next);
      stopTyping(typing);
      typing.current = setTimeout(() => write(next, { replace: true }), PAUSE);
    },
  };
}

function stopTyping(typing: { current: ReturnType<typeof setTimeout> | undefined }) {
  clearTimeout(typing.current);
  typing.current = undefined;
}
