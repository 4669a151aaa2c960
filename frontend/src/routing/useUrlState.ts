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

/**
 * Keep state in the query string, so that it can be shared and follows Back and Forward. Other parameters stay.
 *
 * The state is ahead of the URL while a draft or a navigation is pending.
 *
 * @param read parse the state; return defaults for missing or invalid parameters
 * @param write the inverse of `read`
 */
export function useUrlState<State extends object>(
  read: (params: URLSearchParams) => State,
  write: (state: State) => URLSearchParams,
): UrlState<State> {
  const location = useLocation();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const [state, setState] = useState(() => read(new URLSearchParams(location.search)));
  // Hydration begins without the query, in the same history entry.
  const entry = location.key + location.search;
  const [shownEntry, setShownEntry] = useState(entry);
  const draft = useRef<Draft<State>>(undefined);

  if (shownEntry !== entry) {
    setShownEntry(entry);
    if (navigationType === NavigationType.Pop || location.state !== WRITTEN) {
      setState(read(new URLSearchParams(location.search)));
    }
  }

  function navigateTo(next: State, replace: boolean) {
    discard(draft);
    const own = write(next);
    const params = new URLSearchParams(location.search);
    for (const name of [...write(read(params)).keys(), ...own.keys()]) params.delete(name);
    for (const [name, value] of own) params.append(name, value);
    void navigate({ search: params.toString() }, { replace, state: WRITTEN });
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
      if (write(next).toString() !== write(state).toString()) navigateTo(next, replace);
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
