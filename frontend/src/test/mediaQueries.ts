const fitting = new Set<string>();
const lists = new Map<string, MediaQueryList>();

/** Make the window match a media query, written exactly as in the source. */
export function fitMedia(query: string): void {
  fitting.add(query);
  lists.get(query)?.dispatchEvent(new Event('change'));
}

/** Make the window match no media query. */
export function resetMediaQueries(): void {
  fitting.clear();
  lists.clear();
}

/** Add `matchMedia` to jsdom: no query matches until a test makes it. */
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
