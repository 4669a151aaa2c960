const fitting = new Set<string>();
const lists = new Map<string, MediaQueryList>();

/** Says that the window fits a media query from now on, word for word as the source asks it. */
export function fitMedia(query: string): void {
  fitting.add(query);
  lists.get(query)?.dispatchEvent(new Event('change'));
}

/** Goes back to a window that fits no media query. */
export function forgetMedia(): void {
  fitting.clear();
  lists.clear();
}

/** Gives jsdom `matchMedia`, which it lacks: no query fits until a test says so. */
export function provideMediaQueries(): void {
  window.matchMedia = (query) => {
    const list = lists.get(query) ?? listOf(query);
    lists.set(query, list);
    return list;
  };
}

function listOf(query: string): MediaQueryList {
  const properties = {
    media: { value: query },
    matches: { get: () => fitting.has(query) },
  };
  return Object.defineProperties(new EventTarget(), properties) as MediaQueryList;
}
