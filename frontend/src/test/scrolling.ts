/**
 * Gives jsdom scrolling, which it lacks: its window and its elements have no layout, but remember where they were
 * scrolled to.
 */
export function provideScrolling(): void {
  window.scrollTo = (...to: [ScrollToOptions?] | [x: number, y: number]) => {
    const [first] = to;
    const top = typeof first === 'number' ? to[1] : first?.top;
    Object.defineProperty(window, 'scrollY', { configurable: true, writable: true, value: top ?? 0 });
    window.dispatchEvent(new Event('scroll'));
  };

  Element.prototype.scrollTo = function scrollTo(...to: [ScrollToOptions?] | [x: number, y: number]) {
    const [first, second] = to;
    this.scrollLeft = (typeof first === 'number' ? first : first?.left) ?? this.scrollLeft;
    this.scrollTop = (typeof first === 'number' ? second : first?.top) ?? this.scrollTop;
    this.dispatchEvent(new Event('scroll'));
  };

  // For a test to see that it was called: without layout there is nowhere to scroll.
  Element.prototype.scrollIntoView = () => undefined;
}
