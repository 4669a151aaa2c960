import { use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

import { NavigationContext, useSearch } from './navigation';

/** Marks history entries that this hook has written. */
const WRITTEN = 'url-state';

/** Between two changes of the URL. Safari throws at more than 100 changes of the history in 30 seconds. */
const PAUSE_MS = 400;

/** How each value is read from the text of its parameter, which is blank when it is missing. */
export type Readers<State> = { readonly [Key in keyof State]: (text: string) => State[Key] };

/** Return the reader of one of the choices; any other text is read as blank. */
export function createChoiceReader<Value extends string>(
  choices: readonly Value[],
): (text: string) => Value | '' {
  return (text) => choices.find((choice) => choice === text) ?? '';
}

/** Read the state from a query string. */
export function readState<State extends object>(search: string, readers: Readers<State>): State {
  const params = new URLSearchParams(search);
  const names = Object.keys(readers) as (keyof State & string)[];
  return Object.fromEntries(names.map((name) => [name, readers[name](params.get(name) ?? '')])) as State;
}

/** Return a query string with the values that are not the defaults. Other parameters stay. */
export function writeState<State extends object>(
  state: State,
  search: string,
  readers: Readers<State>,
): string {
  const params = new URLSearchParams(search);
  for (const name of Object.keys(readers) as (keyof State & string)[]) {
    params.delete(name);
    if (state[name] !== readers[name]('')) params.append(name, String(state[name]));
  }
  return params.toString();
}

/**
 * Keep state in the query string, each value in the parameter of its name, so that it can be shared and comes back with the
 * page. Other parameters stay.
 *
 * @returns the state, and a function that changes some of it; the URL follows, in the same history entry
 */
export function useUrlState<State extends object>(readers: Readers<State>) {
  const search = useSearch();
  const location = useLocation();
  const isReturn = useNavigationType() === NavigationType.Pop;
  const navigate = useNavigate();
  const { isOpening } = use(NavigationContext);
  const [state, setState] = useState(() => readState(search, readers));
  // Hydration begins without the query.
  const [shown, setShown] = useState(search);

  if (shown !== search) {
    setShown(search);
    if (isReturn || location.state !== WRITTEN) setState(readState(search, readers));
  }

  const query = writeState(state, search, readers);
  // The entry of a legal document, which has a fragment, stays as it is, and so does that of a page that is loading.
  const isWritable = !location.hash && !isOpening;
  const isAhead = isWritable && query !== writeState(readState(search, readers), search, readers);

  const writtenAt = useRef(0);
  const write = useEffectEvent(() => {
    writtenAt.current = Date.now();
    void navigate({ search: query }, { replace: true, state: WRITTEN });
  });
  useEffect(() => {
    if (!isAhead) return undefined;
    const timer = setTimeout(() => write(), writtenAt.current + PAUSE_MS - Date.now());
    return () => clearTimeout(timer);
  }, [isAhead, query]);

  return {
    state,
    change: (change: Partial<State>) => setState((current) => ({ ...current, ...change })),
  };
}

export type UrlState<State extends object> = ReturnType<typeof useUrlState<State>>;
