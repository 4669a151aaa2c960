import type { ReactNode } from 'react';

/** What a message says to screen readers only, because its place says it to the eye. */
export function hidden(words: ReactNode) {
  return <span className="visually-hidden">{words}</span>;
}
