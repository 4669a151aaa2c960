/**
 * Gives jsdom modal dialogs, which it lacks, as far as a script can see what the HTML standard's section on
 * `dialog` says: the focus goes in and comes back, and Escape asks to cancel, then closes. What is outside
 * does not become inert here; only a browser shows that.
 *
 * @returns takes them away
 */
export function provideDialogs(): () => void {
  /** The open modal dialogs, the uppermost last, each with what had the focus before. */
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
    this.dispatchEvent(new Event('close'));
  };

  const escape = ({ key }: KeyboardEvent) => {
    const uppermost = modals.at(-1)?.dialog;
    if (key !== 'Escape' || !uppermost) return;
    if (!uppermost.isConnected) modals.pop();
    else if (uppermost.dispatchEvent(new Event('cancel', { cancelable: true }))) uppermost.close();
  };
  document.addEventListener('keydown', escape);
  return () => document.removeEventListener('keydown', escape);
}
