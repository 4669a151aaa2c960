/** Gives jsdom scrolling, which it lacks: its window has no layout, but remembers where it was scrolled to. */
export function provideScrolling(): void {
  window.scrollTo = (...to: [ScrollToOptions?] | [x: number, y: number]) => {
    const [first] = to;
    const top = typeof first === 'number' ? to[1] : first?.top;
    Object.defineProperty(window, 'scrollY', { configurable: true, writable: true, value: top ?? 0 });
    window.dispatchEvent(new Event('scroll'));
  };
}
