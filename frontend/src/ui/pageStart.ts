/** Move the focus to a heading, by default that of the page, so that a screen reader announces it (WCAG 2.4.3). */
export function focusHeading(heading: HTMLElement | null = document.querySelector('h1')): void {
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

/** Scroll the page without an animation. */
export function scrollPage(top: number): void {
  window.scrollTo({ top, behavior: 'instant' });
}
