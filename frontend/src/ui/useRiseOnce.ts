import { type RefObject, useEffect } from 'react';

/**
 * Run the scroll-driven entrance of each child once, instead of back and forth with the scrolling.
 *
 * @param parent its children get `data-risen` after their entrance, which removes the animation
 */
export function useRiseOnce(parent: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const children = [...(parent.current?.children ?? [])] as HTMLElement[];
    for (const element of children) {
      for (const animation of element.getAnimations()) {
        void animation.finished.then(
          () => {
            element.dataset.risen = '';
          },
          // The animation was cancelled: less motion is preferred, or the page is left.
          () => undefined,
        );
      }
    }
  }, [parent]);
}
