import { focusHeading } from './pageStart';

/** A ref for an element that the page replaces: the focus inside it moves to the heading of what follows. */
export function passFocusOn(element: HTMLElement | null) {
  return () => {
    if (element?.contains(document.activeElement)) queueMicrotask(focusHeading);
  };
}
