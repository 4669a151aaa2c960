/** The events that have been given to Google's tag in this test: the name and the parameters of each. */
export function trackedEvents(): [name: string, params: object][] {
  return (window.dataLayer ?? [])
    .map((command) => Array.from<unknown>(command as IArguments))
    .flatMap(([kind, name, params]) => (kind === 'event' ? [[name as string, params as object]] : []));
}
