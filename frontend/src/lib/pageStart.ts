/** Move the focus to a heading, by default that of the page, so that a screen reader announces it (WCAG 2.4.3). */
export function focusHeading(heading: HTMLElement | null = document.querySelector('h1')): void {
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

/** Scroll the page without an animation. */
export function scrollPage(top: number): void {
  window.scrollTo({ top, behavior: 'instant' });
}

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
