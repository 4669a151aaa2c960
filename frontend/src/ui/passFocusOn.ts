import { focusHeading } from './pageStart';

/**
 * A ref for an element that something else replaces: the focus inside it moves to the heading of the section, dialog or page
 * around it.
 */
export function passFocusOn(element: HTMLElement | null) {
  const surroundings = element?.closest('section, dialog, main');
  return () => {
    if (!element?.contains(document.activeElement)) return;
    queueMicrotask(() => {
      const heading = surroundings?.querySelector<HTMLElement>('h1, h2, h3');
      focusHeading(heading?.isConnected ? heading : undefined);
    });
  };
}
