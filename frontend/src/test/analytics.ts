import { onTestFinished } from 'vitest';

/** Return the name and parameters of every tracked event. */
export function trackedEvents(): [name: string, params: object][] {
  return (window.dataLayer ?? [])
    .map((command) => Array.from<unknown>(command as IArguments))
    .flatMap(([kind, name, params]) => (kind === 'event' ? [[name as string, params as object]] : []));
}

/** Return the list of the buttons that are pressed from now on in this test, each with its item. */
export function watchButtons(): string[] {
  const pressed: string[] = [];
  const listeners = new AbortController();
  const record = ({ target }: MouseEvent) => {
    const { track, trackItem } = (target as Element).closest<HTMLElement>('[data-track]')?.dataset ?? {};
    if (track) pressed.push([track, trackItem].filter(Boolean).join(' '));
  };
  document.addEventListener('click', record, { capture: true, signal: listeners.signal });
  onTestFinished(() => listeners.abort());
  return pressed;
}
