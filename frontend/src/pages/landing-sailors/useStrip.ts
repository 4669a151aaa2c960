import { type RefObject, useEffect, useRef, useState } from 'react';

import { useMediaQuery } from '../../ui/useMediaQuery';
import { INITIAL_STATE, LAST, reduceStrip, type StripEvent } from './strip';

/**
 * When the strip is pinned: with a mouse or trackpad, enough room and no preference for reduced motion.
 * FeatureStrip.module.css repeats the query, so that the page has its final height before hydration.
 */
export const PINNABLE =
  '(pointer: fine) and (prefers-reduced-motion: no-preference) and (scripting: enabled) ' +
  'and (width >= 768px) and (height >= 600px)';

/** Scroll positions may be fractions of a pixel. */
const TOLERANCE_PX = 1;

/**
 * Run the strip: pinned and stepped by the wheel where `PINNABLE` matches, otherwise a carousel.
 *
 * Both scroll natively, the window through the section, which is higher than the sticky stage in it, or the carousel
 * through its cards. Each card has an equal share of the way. Only the wheel over the pinned strip is intercepted.
 */
export function useStrip(section: RefObject<HTMLElement | null>, strip: RefObject<HTMLElement | null>) {
  const isPinnable = useMediaQuery(PINNABLE);
  const [index, setIndex] = useState(0);
  const [isPinned, setPinned] = useState(false);
  const latest = useRef(INITIAL_STATE);
  const show = useRef<(index: number) => void>(undefined);

  useEffect(() => {
    const [outer, stage, carousel] = [section.current, section.current?.firstElementChild, strip.current];
    if (!outer || !stage || !carousel) return undefined;
    const listeners = new AbortController();

    const measure = () => {
      if (!isPinnable) return [carousel.scrollLeft, carousel.scrollWidth - carousel.clientWidth] as const;
      const { top, height } = outer.getBoundingClientRect();
      return [-top, height - stage.getBoundingClientRect().height] as const;
    };

    const locate = () => {
      const [offset, length] = measure();
      const share = length > 0 ? Math.min(Math.max(offset / length, 0), 1) : 0;
      const isPast = offset > length + TOLERANCE_PX;
      const isBefore = !isPinnable || offset < -TOLERANCE_PX;
      return {
        phase: isBefore ? 'before' : isPast ? 'past' : 'pinned',
        index: Math.round(share * LAST),
      } as const;
    };

    const scrollTo = (card: number, behavior: ScrollBehavior) => {
      const [offset, length] = measure();
      const distance = (length * card) / LAST - offset;
      if (!isPinnable) carousel.scrollTo({ left: offset + distance, behavior });
      else if (Math.abs(distance) > TOLERANCE_PX)
        window.scrollTo({ top: window.scrollY + distance, behavior });
    };

    const dispatch = (event: StripEvent, now = 0) => {
      const { phase } = latest.current;
      const state = reduceStrip(latest.current, event, now);
      latest.current = state;
      if (state.phase !== phase) listenToWheel();
      setIndex(state.index);
      setPinned(state.phase === 'pinned');
      // The style sheet decides about the carousel: smooth unless reduced motion is preferred.
      const behavior = isPinnable ? 'smooth' : 'auto';
      if (state.target !== undefined) scrollTo(state.target, state.phase === 'pinned' ? 'instant' : behavior);
      return state;
    };

    const turn = (event: WheelEvent) => {
      const { deltaX, deltaY, target, timeStamp } = event;
      const distance = Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : deltaY;
      const isInMenu = target instanceof Element && target.closest('dialog, [popover]') !== null;
      // Ctrl and the wheel zoom; over a menu the wheel scrolls the menu.
      if (event.ctrlKey || distance === 0 || isInMenu) return;
      const { isHeld } = dispatch({ type: 'wheel', distance }, timeStamp);
      // A scroll in progress cannot be cancelled; then the next `scroll` restores the position.
      if (isHeld && event.cancelable) event.preventDefault();
    };

    /** Listen actively only while the strip is pinned, because active wheel listeners slow scrolling. */
    const listenToWheel = () => {
      window.removeEventListener('wheel', turn);
      const passive = latest.current.phase !== 'pinned';
      if (isPinnable) window.addEventListener('wheel', turn, { passive, signal: listeners.signal });
    };

    const passive = { passive: true, signal: listeners.signal };
    const press = () => dispatch({ type: 'press' });
    for (const type of ['keydown', 'pointerdown'])
      window.addEventListener(type, press, { ...passive, capture: true });
    const follow = ({ timeStamp }: Event) => dispatch({ type: 'scroll', ...locate() }, timeStamp);
    (isPinnable ? window : carousel).addEventListener('scroll', follow, passive);
    const keep = () => latest.current.phase === 'pinned' && scrollTo(latest.current.index, 'instant');
    window.addEventListener('resize', keep, passive);
    show.current = (card) => dispatch({ type: 'show', index: card });

    // The card that was shown before, as a carousel or pinned, stays.
    const { index: before } = latest.current;
    latest.current = INITIAL_STATE;
    listenToWheel();
    if (before > 0 && (!isPinnable || locate().phase === 'pinned')) scrollTo(before, 'instant');
    dispatch({ type: 'scroll', ...locate() });
    return () => listeners.abort();
  }, [isPinnable, section, strip]);

  return { index, isPinnable, isPinned, show: (card: number) => show.current?.(card) };
}
