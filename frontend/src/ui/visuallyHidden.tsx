import type { ReactNode } from 'react';

/** Render a part of a message for screen readers only. */
export function visuallyHidden(text: ReactNode) {
  return <span className="visually-hidden">{text}</span>;
}
