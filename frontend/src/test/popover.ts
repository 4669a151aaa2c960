/**
 * Add popovers to jsdom as in the HTML standard: `popovertarget`, light dismiss, Escape, focus return, and `toggle`
 * in a later task, once for several changes.
 *
 * @returns a function that removes them
 */
export function providePopovers(): () => void {
  const ended = new AbortController();
  const listening = { signal: ended.signal };

  /** The open popovers, the topmost last, each with the element to return the focus to. */
  const shown: { popover: HTMLElement; previous: Element | null }[] = [];

  const queued = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

  function queueToggle(popover: HTMLElement, newState: 'open' | 'closed') {
    clearTimeout(queued.get(popover));
    const event = Object.assign(new Event('toggle'), { newState });
    queued.set(
      popover,
      setTimeout(() => popover.dispatchEvent(event)),
    );
  }

  HTMLElement.prototype.togglePopover = function togglePopover(options) {
    const before = shown.find(({ popover }) => popover === this);
    const force = typeof options === 'object' ? options.force : options;
    if (before && force !== true) {
      shown.splice(shown.indexOf(before), 1);
      delete this.dataset.shown;
      if (this.contains(document.activeElement) && before.previous instanceof HTMLElement)
        before.previous.focus();
      queueToggle(this, 'closed');
    } else if (!before && force !== false) {
      shown.push({ popover: this, previous: document.activeElement });
      this.dataset.shown = '';
      queueToggle(this, 'open');
    }
    return shown.some(({ popover }) => popover === this);
  };

  /** Return the topmost automatic popover. */
  function topmost() {
    return shown.findLast(({ popover }) => popover.isConnected && popover.getAttribute('popover') === 'auto')
      ?.popover;
  }

  const toggle = ({ target, defaultPrevented }: Event) => {
    const id = (target as Element).closest('button[popovertarget]')?.getAttribute('popovertarget');
    if (id && !defaultPrevented) document.getElementById(id)?.togglePopover();
  };

  const press = ({ target }: Event) => {
    const popover = topmost();
    const element = target as Element;
    if (!popover || popover.contains(element)) return;
    // Its own button toggles it.
    if (element.closest(`[popovertarget="${popover.id}"]`)) return;
    popover.togglePopover(false);
  };

  const escape = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') topmost()?.togglePopover(false);
  };

  document.addEventListener('click', toggle, listening);
  document.addEventListener('pointerdown', press, listening);
  document.addEventListener('keydown', escape, listening);
  return () => ended.abort();
}
