import { useCallback, useSyncExternalStore } from 'react';

/** The queries that scripts share with the style sheets; their widths are the breakpoints of styles/tokens.css. */
export const TABLET_UP = '(width >= 768px)';
export const DESKTOP_UP = '(width >= 1024px)';
export const WIDE_UP = '(width >= 1280px)';

/** Return whether the window matches a media query; false on the server. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
