/** Add to jsdom, which has no layout, what the app calls: animations, observers, scroll positions. */
export function provideLayout(): void {
  Element.prototype.getAnimations = () => [];

  window.IntersectionObserver = class implements IntersectionObserver {
    readonly root = null;
    readonly rootMargin = '0px';
    readonly scrollMargin = '0px';
    readonly thresholds = [0];
    readonly observe = () => undefined;
    readonly unobserve = () => undefined;
    readonly disconnect = () => undefined;
    readonly takeRecords = () => [];
  };

  window.ResizeObserver = class implements ResizeObserver {
    readonly observe = () => undefined;
    readonly unobserve = () => undefined;
    readonly disconnect = () => undefined;
  };

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

  Element.prototype.scrollIntoView = () => undefined;
}
