import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

/** Delay between the last keystroke and the URL update; browsers limit the rate of history changes. */
const DRAFT_DELAY_MS = 300;

/** Marks history entries that this hook has written. */
const WRITTEN = 'url-state';

interface Draft<State> {
  state: State;
  /** `history.state` at the time of typing; the same object as long as the entry is current. */
  entry: unknown;
  timer: ReturnType<typeof setTimeout>;
}

export interface UrlState<State> {
  state: State;
  /** Change the state and the URL, as a new history entry unless `replace` is set. */
  commit: (change: Partial<State>, options?: { replace?: boolean }) => void;
  /** Change the state now; replace the URL when typing pauses or the field loses focus. */
  setDraft: (change: Partial<State>) => void;
}

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
 * The state is ahead of the URL while a draft or a navigation is pending.
 */
export function useUrlState<State extends object>(
  readers: Readers<State>,
  names?: ParameterNames<State>,
): UrlState<State> {
  const location = useLocation();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const [state, setState] = useState(() => readState(location.search, readers, names));
  // Hydration begins without the query, in the same history entry.
  const entry = location.key + location.search;
  const [shownEntry, setShownEntry] = useState(entry);
  const draft = useRef<Draft<State>>(undefined);

  if (shownEntry !== entry) {
    setShownEntry(entry);
    if (navigationType === NavigationType.Pop || location.state !== WRITTEN) {
      setState(readState(location.search, readers, names));
    }
  }

  function write(next: State): string {
    return writeState(next, location.search, readers, names);
  }

  function navigateTo(next: State, replace: boolean) {
    discard(draft);
    void navigate({ search: write(next) }, { replace, state: WRITTEN });
  }

  function flushDraft() {
    if (!draft.current) return;
    // After Back the browser is on another entry before the router has rendered it.
    if (draft.current.entry === window.history.state) navigateTo(draft.current.state, true);
    else discard(draft);
  }
  const onFocusOut = useEffectEvent(flushDraft);

  useEffect(() => {
    const listeners = new AbortController();
    document.addEventListener('focusout', () => onFocusOut(), listeners);
    window.addEventListener('popstate', () => discard(draft), listeners);
    return () => {
      listeners.abort();
      discard(draft);
    };
  }, []);

  return {
    state,
    commit(change, { replace = false } = {}) {
      const next = { ...state, ...change };
      setState(next);
      if (write(next) !== write(state)) navigateTo(next, replace);
    },
    setDraft(change) {
      const next = { ...state, ...change };
      setState(next);
      discard(draft);
      draft.current = {
        state: next,
        entry: window.history.state as unknown,
        timer: setTimeout(flushDraft, DRAFT_DELAY_MS),
      };
    },
  };
}

function discard(draft: { current: Draft<unknown> | undefined }) {
  clearTimeout(draft.current?.timer);
  draft.current = undefined;
}
