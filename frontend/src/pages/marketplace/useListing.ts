import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

import { type Listing, readListing, writeListing } from './address';

/** How long after the last key the address says what was typed, in milliseconds: browsers bear few changes a second. */
const PAUSE = 300;

/** The state of an entry of the history that this screen has written, and so knows. */
const OWN = 'marketplace-listing';

/** What is typed and not in the address yet. */
interface Typed {
  listing: Listing;
  /** The state of the entry of the history that it was typed on: the very object, so that it tells entries apart. */
  entry: unknown;
  pause: ReturnType<typeof setTimeout>;
}

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
  const typed = useRef<Typed>(undefined);

  // Whoever is typing is ahead of the addresses that tell of it; any other address leads the screen.
  if (entry !== key) {
    setEntry(key);
    if (navigation === NavigationType.Pop || state !== OWN) setListing(readListing(search, locations));
  }

  function write(next: Listing, how: { replace: boolean }) {
    forget(typed);
    void navigate({ search: writeListing(next) }, { ...how, state: OWN });
  }

  /** Has the address say at once what is typed. */
  function settle() {
    if (!typed.current) return;
    // The browser is on another entry before the router hears of it, by as long as that page takes to load.
    if (typed.current.entry === window.history.state) write(typed.current.listing, { replace: true });
    else forget(typed);
  }
  const settleOnLeaving = useEffectEvent(settle);

  useEffect(() => {
    // A field is left before anything else is chosen or followed: the step behind has in it what was typed, and no
    // later page, which may take its time to come, has its address written over.
    const left = new AbortController();
    document.addEventListener('focusout', () => settleOnLeaving(), left);
    window.addEventListener('popstate', () => forget(typed), left);
    return () => {
      left.abort();
      forget(typed);
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
      forget(typed);
      typed.current = {
        listing: next,
        entry: window.history.state as unknown,
        pause: setTimeout(settle, PAUSE),
      };
    },
  };
}

function forget(typed: { current: Typed | undefined }) {
  clearTimeout(typed.current?.pause);
  typed.current = undefined;
}
