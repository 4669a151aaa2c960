const nothing = () => undefined;

/** Gives jsdom `IntersectionObserver`, which it lacks: without a layout, nothing ever comes near the window. */
export function provideNearness(): void {
  window.IntersectionObserver = class implements IntersectionObserver {
    readonly root = null;
    readonly rootMargin = '0px';
    readonly scrollMargin = '0px';
    readonly thresholds = [0];
    readonly observe = nothing;
    readonly unobserve = nothing;
    readonly disconnect = nothing;
    readonly takeRecords = () => [];
  };
}
