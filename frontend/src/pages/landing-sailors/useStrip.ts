import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

import { useHydrated } from '../../ui/useHydrated';
import { useMediaQuery } from '../../ui/useMediaQuery';
import { followCarousel } from './carousel';
import { type Pin, pinStrip, type StripController } from './pinnedStretch';

/**
 * When the strip is pinned: with a mouse or trackpad, enough room and no preference for reduced motion.
 * FeatureStrip.module.css repeats the query, so that the page has its final height before hydration.
 */
export const PINNABLE =
  '(pointer: fine) and (prefers-reduced-motion: no-preference) and (scripting: enabled) and (width >= 768px) and (height >= 600px)';

interface Elements {
  /** Higher than the window when the strip is pinned. */
  stretch: RefObject<HTMLElement | null>;
  /** Scrolls horizontally when it is not pinned. */
  strip: RefObject<HTMLElement | null>;
}

/** Run the strip: pinned and stepped by the wheel where `PINNABLE` matches, otherwise a carousel. */
export function useStrip({ stretch, strip }: Elements, count: number) {
  const pinnable = useMediaQuery(PINNABLE);
  const isHydrated = useHydrated();
  const [{ place, index }, setPin] = useState<Pin>({ place: 'before', index: 0 });
  const shown = useRef(0);
  const handle = useRef<StripController>(undefined);

  useEffect(() => {
    if (!stretch.current || !strip.current) return undefined;
    const update = (pin: Pin) => {
      shown.current = pin.index;
      setPin(pin);
    };
    const current = pinnable
      ? pinStrip(stretch.current, count, shown.current, update)
      : followCarousel(strip.current, count, shown.current, (next) =>
          update({ place: 'before', index: next }),
        );
    handle.current = current;
    return () => current.end();
  }, [pinnable, stretch, strip, count]);

  const show = useCallback(
    (next: number) => handle.current?.show(Math.min(Math.max(next, 0), count - 1)),
    [count],
  );
  return { index, pinned: place === 'pinned', isHydrated, show };
}
