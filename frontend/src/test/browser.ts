/** Add to jsdom what the app calls of a browser: popovers, modal dialogs, observers, scrolling. Playwright tests the rest. */
export function provideBrowser(): void {
  HTMLElement.prototype.togglePopover = function togglePopover(options) {
    const isShown = (typeof options === 'object' ? options.force : options) ?? !('shown' in this.dataset);
    if (isShown) this.dataset.shown = '';
    else delete this.dataset.shown;
    return isShown;
  };

  HTMLDialogElement.prototype.showModal = function showModal() {
    if (this.open) throw new DOMException('The dialog is already open', 'InvalidStateError');
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    if (!this.open) return;
    this.open = false;
    // As in the HTML standard, in a later task.
    setTimeout(() => this.dispatchEvent(new Event('close')));
  };

  class Observer {
    readonly observe = () => undefined;
    readonly unobserve = () => undefined;
    readonly disconnect = () => undefined;
  }
  Object.assign(window, { IntersectionObserver: Observer, ResizeObserver: Observer });

  window.scrollTo = (to?: ScrollToOptions | number) => {
    window.scrollY = typeof to === 'object' ? (to.top ?? 0) : 0;
    window.dispatchEvent(new Event('scroll'));
  };
  Element.prototype.scrollTo = function scrollTo(to?: ScrollToOptions | number) {
    this.scrollLeft = typeof to === 'object' ? (to.left ?? 0) : 0;
    this.dispatchEvent(new Event('scroll'));
  };
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.getAnimations = () => [];
}
