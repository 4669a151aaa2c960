import { type RefObject, useEffect } from 'react';

/**
 * Lets what rises as it comes into sight do so once: an animation that follows the scrolling would go back with it.
 * Without this script everything comes into sight all the same.
 *
 * @param parent the children of this element rise; one that has risen gets `data-risen`, which takes its animation away
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
          // Someone asks for less motion, or the page goes.
          () => undefined,
        );
      }
    }
  }, [parent]);
}
