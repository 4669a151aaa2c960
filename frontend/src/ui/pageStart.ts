/** Gives the focus to the heading of the page, so that a screen reader reads where it is (WCAG 2.4.3). */
export function focusHeading(): void {
  const heading = document.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

/** Scrolls the page, at once: nobody wants to watch a page that has just opened roll by. */
export function scrollPage(top: number): void {
  window.scrollTo({ top, behavior: 'instant' });
}
