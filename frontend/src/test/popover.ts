/**
 * Gives jsdom popovers, which it lacks, as far as a script can see what the HTML standard's section on the `popover`
 * attribute says: buttons with `popovertarget` toggle theirs; an automatic one goes on Escape, which gives the focus
 * back, and on a press elsewhere; each change is told by `toggle`, here at once.
 *
 * @returns takes them away
 */
export function providePopovers(): () => void {
  const ended = new AbortController();
  const listening = { signal: ended.signal };

  /** The popovers that show, the uppermost last, each with what had the focus before. */
  const shown: { popover: HTMLElement; previous: Element | null }[] = [];

  // Outside of the head, which some tests write anew.
  const style = document.createElement('style');
  style.textContent = '[popover]:not([data-shown]) { display: none }';
  document.documentElement.append(style);

  function tell(popover: HTMLElement, newState: 'open' | 'closed') {
    popover.dispatchEvent(Object.assign(new Event('toggle'), { newState }));
  }

  HTMLElement.prototype.togglePopover = function togglePopover(options) {
    const before = shown.find(({ popover }) => popover === this);
    const force = typeof options === 'object' ? options.force : options;
    if (before && force !== true) {
      shown.splice(shown.indexOf(before), 1);
      delete this.dataset.shown;
      if (this.contains(document.activeElement) && before.previous instanceof HTMLElement)
        before.previous.focus();
      tell(this, 'closed');
    } else if (!before && force !== false) {
      shown.push({ popover: this, previous: document.activeElement });
      this.dataset.shown = '';
      tell(this, 'open');
    }
    return shown.some(({ popover }) => popover === this);
  };

  /** The uppermost that goes by itself. */
  function uppermost() {
    return shown.findLast(({ popover }) => popover.isConnected && popover.getAttribute('popover') === 'auto')
      ?.popover;
  }

  const toggle = ({ target, defaultPrevented }: Event) => {
    const id = (target as Element).closest('button[popovertarget]')?.getAttribute('popovertarget');
    if (id && !defaultPrevented) document.getElementById(id)?.togglePopover();
  };

  const press = ({ target }: Event) => {
    const popover = uppermost();
    const element = target as Element;
    if (!popover || popover.contains(element)) return;
    // A press on its own button is that button's business.
    if (element.closest(`[popovertarget="${popover.id}"]`)) return;
    popover.togglePopover(false);
  };

  const escape = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') uppermost()?.togglePopover(false);
  };

  document.addEventListener('click', toggle, listening);
  document.addEventListener('pointerdown', press, listening);
  document.addEventListener('keydown', escape, listening);
  return () => {
    style.remove();
    ended.abort();
  };
}
