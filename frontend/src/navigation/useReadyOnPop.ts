import { useLayoutEffect, useRef, useState } from 'react';

import { isLanguage } from '../i18n/languages';
import { prepareParts } from '../lazy/onPage';
import { pages } from '../app/pages';
import { memberRoute } from '../app/RoutePage';
import { entryOf, type PageEntry } from '../app/routes';
import { step } from './scrollPositions';

/**
 * Loads what an entry of the history shows before the router hears of it.
 *
 * React shows a step through the history at once, loaded or not. A page whose code is missing would leave an empty
 * window, and a fragment of the same page would empty the parts of it that are still asleep.
 *
 * @param entry the page that shows now
 */
export function useReadyOnPop(entry: PageEntry): void {
  const [first] = useState(currentAddress);
  const isHeard = useRef(false);

  useLayoutEffect(() => {
    let latest: Event | undefined;

    async function makeReady(event?: Event) {
      const { lang } = document.documentElement;
      const next = entryOf(window.location.pathname);
      try {
        if (next === entry) await prepareParts(isLanguage(lang) ? [lang] : []);
        else if (isLanguage(lang))
          await Promise.all([
            pages[next.page].load(lang),
            next.access === 'member' && memberRoute.load(lang),
          ]);
      } catch {
        // A page that cannot be completed stays as it stands; one that cannot be loaded says so itself.
        if (next === entry) {
          if (latest === event) step.isHeld = false;
          return;
        }
      }
      if (latest === event)
        window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state as unknown }));
    }

    function hold(event: PopStateEvent) {
      latest = event;
      // What a script sends is the event of below, the second time.
      step.isHeld = event.isTrusted;
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      void makeReady(event);
    }

    window.addEventListener('popstate', hold, { capture: true });
    // A page comes to life in slices, and nobody hears of a step between two of them.
    if (!isHeard.current && currentAddress() !== first) void makeReady();
    isHeard.current = true;
    return () => window.removeEventListener('popstate', hold, { capture: true });
  }, [entry, first]);
}

/** The address of the window; there is none where pages are rendered at build time. */
function currentAddress(): string {
  return typeof window === 'undefined' ? '' : window.location.href;
}
