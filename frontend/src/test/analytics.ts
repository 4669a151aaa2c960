/** Return the name and parameters of every tracked event. */
export function trackedEvents(): [name: string, params: object][] {
  return (window.dataLayer ?? [])
    .map((command) => Array.from<unknown>(command as IArguments))
    .flatMap(([kind, name, params]) => (kind === 'event' ? [[name as string, params as object]] : []));
}
