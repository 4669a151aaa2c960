/**
 * Add modal dialogs to jsdom, with focus and Escape as in the HTML standard: `close` is fired in a later task. The rest of
 * the page is not inert.
 *
 * @returns a function that removes them
 */
export function provideDialogs(): () => void {
  /** The open modal dialogs, the topmost last, each with the element to return the focus to. */
  const modals: { dialog: HTMLDialogElement; previous: Element | null }[] = [];

  HTMLDialogElement.prototype.showModal = function showModal() {
    if (this.open) throw new DOMException('The dialog is already open', 'InvalidStateError');
    modals.push({ dialog: this, previous: document.activeElement });
    this.setAttribute('open', '');
    this.querySelector<HTMLElement>(
      '[autofocus], button, [href], input, select, textarea, [tabindex]',
    )?.focus();
  };

  HTMLDialogElement.prototype.close = function close(returnValue) {
    if (!this.open) return;
    if (returnValue !== undefined) this.returnValue = returnValue;
    this.removeAttribute('open');
    const index = modals.findIndex(({ dialog }) => dialog === this);
    const [closed] = index >= 0 ? modals.splice(index, 1) : [];
    if (closed?.previous instanceof HTMLElement) closed.previous.focus();
    setTimeout(() => this.dispatchEvent(new Event('close')));
  };

  const escape = ({ key }: KeyboardEvent) => {
    const topmost = modals.at(-1)?.dialog;
    if (key !== 'Escape' || !topmost) return;
    if (!topmost.isConnected) modals.pop();
    else if (topmost.dispatchEvent(new Event('cancel', { cancelable: true }))) topmost.close();
  };
  document.addEventListener('keydown', escape);
  return () => document.removeEventListener('keydown', escape);
}
