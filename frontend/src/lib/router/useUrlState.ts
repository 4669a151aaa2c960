import { useEffect, useEffectEvent, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

import { useShownLocation } from './shownLocation';
import { useSearch } from './useSearch';

/** Marks history entries that this hook has written. */
const WRITTEN = 'url-state';

/** How long nothing is typed until the URL follows. Safari throws at more than 100 changes of the history in 30 seconds. */
const PAUSE_MS = 400;

/** How each value is read from the text of its parameter, which is blank when it is missing. */
export type Readers<State> = { readonly [Key in keyof State]: (text: string) => State[Key] };

/** The names of the parameters that differ from the names of the values. */
export type ParameterNames<State> = { readonly [Key in keyof State]?: string };

/** Return the reader of one of the choices; any other text is read as blank. */
export function createChoiceReader<Value extends string>(
  choices: readonly Value[],
): (text: string) => Value | '' {
  return (text) => choices.find((choice) => choice === text) ?? '';
}

/** Read the state from a query string. */
export function readState<State extends object>(
  search: string,
  readers: Readers<State>,
  names: ParameterNames<State> = {},
): State {
  const params = new URLSearchParams(search);
  const keys = Object.keys(readers) as (keyof State & string)[];
  const values = keys.map((key) => [key, readers[key](params.get(names[key] ?? key) ?? '')]);
  return Object.fromEntries(values) as State;
}

/** Return a query string with the values that are not the defaults. Other parameters stay. */
export function writeState<State extends object>(
  state: State,
  search: string,
  readers: Readers<State>,
  names: ParameterNames<State> = {},
): string {
  const params = new URLSearchParams(search);
  for (const key of Object.keys(readers) as (keyof State & string)[]) {
    const name = names[key] ?? key;
    params.delete(name);
    if (state[key] !== readers[key]('')) params.append(name, String(state[key]));
  }
  return params.toString();
}

/**
 * Keep state in the query string, so that it can be shared and follows Back and Forward. Other parameters stay.
 *
 * @returns the state, which is ahead of the URL for a moment; `commit` adds a history entry, `setDraft`, for what is typed,
 * replaces the present one after a pause
 */
export function useUrlState<State extends object>(readers: Readers<State>, names?: ParameterNames<State>) {
  const search = useSearch();
  const location = useShownLocation();
  const isLeaving = useLocation() !== location;
  const isReturn = useNavigationType() === NavigationType.Pop;
  const navigate = useNavigate();
  const [state, setState] = useState(() => readState(search, readers, names));
  // Hydration begins without the query.
  const [shown, setShown] = useState(search);

  if (shown !== search) {
    setShown(search);
    if (isReturn || location.state !== WRITTEN) setState(readState(search, readers, names));
  }

  const createQuery = (values: State) => writeState(values, search, readers, names);
  const isAhead = createQuery(state) !== createQuery(readState(search, readers, names));
  // The entry of a legal document, which has a fragment, stays as it is.
  const isDraft = isAhead && !isLeaving && !location.hash;

  function write(values: State, replace: boolean) {
    void navigate({ pathname: location.pathname, search: createQuery(values) }, { replace, state: WRITTEN });
  }

  const writeDraft = useEffectEvent(() => write(state, true));
  useEffect(() => {
    if (!isDraft) return undefined;
    const timer = setTimeout(() => writeDraft(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isDraft, state]);

  function commit(change: Partial<State>, { replace = false } = {}) {
    const next = { ...state, ...change };
    setState(next);
    if (isAhead) write(state, true);
    if (createQuery(next) !== createQuery(state)) write(next, replace);
  }

  return { state, commit, setDraft: (change: Partial<State>) => setState({ ...state, ...change }) };
}

export type UrlState<State extends object> = ReturnType<typeof useUrlState<State>>;
