import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

import { useHydrated } from '../../ui/useHydrated';
import { useMediaQuery } from '../../ui/useMediaQuery';
import { followCarousel } from './carousel';
import { type Pin, pinStretch, type Strip } from './pinnedStretch';

/**
 * Who gets the pinned strip: a mouse or trackpad, no wish for less motion, and room for a card. FeatureStrip.module.css
 * asks the same, so that the page has its height before this script has come.
 */
export const PINNABLE =
  '(pointer: fine) and (prefers-reduced-motion: no-preference) and (scripting: enabled) and (width >= 768px) and (height >= 720px)';

interface Elements {
  /** Higher than the window where the strip is pinned. */
  stretch: RefObject<HTMLElement | null>;
  /** Scrolls sideways where the strip is not pinned. */
  strip: RefObject<HTMLElement | null>;
  /** Its children are the cards. */
  track: RefObject<HTMLElement | null>;
}

/**
 * Brings the strip to life: pinned and stepped by the wheel where that suits the visitor, a carousel elsewhere. Until
 * then the browser itself scrolls it sideways, and a strip that has been scrolled stays at its card.
 *
 * @returns which card shows, whether the strip is pinned now and alive, and how to show another card
 */
export function useStrip({ stretch, strip, track }: Elements, count: number) {
  const pinnable = useMediaQuery(PINNABLE);
  const isAlive = useHydrated();
  const [{ place, index }, setPin] = useState<Pin>({ place: 'before', index: 0 });
  const shown = useRef(0);
  const handle = useRef<Strip>(undefined);

  useEffect(() => {
    if (!stretch.current || !strip.current || !track.current) return undefined;
    const become = (pin: Pin) => {
      shown.current = pin.index;
      setPin(pin);
    };
    const cards = [...track.current.children] as HTMLElement[];
    const current = pinnable
      ? pinStretch(stretch.current, count, shown.current, become)
      : followCarousel(strip.current, cards, shown.current, (next) =>
          become({ place: 'before', index: next }),
        );
    handle.current = current;
    return () => current.end();
  }, [pinnable, stretch, strip, track, count]);

  const show = useCallback(
    (next: number) => handle.current?.show(Math.min(Math.max(next, 0), count - 1)),
    [count],
  );
  return { index, pinned: place === 'pinned', isAlive, show };
}
