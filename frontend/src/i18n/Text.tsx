import { Children, type ReactNode } from 'react';

/**
 * Render a message with each of its texts as the only child of an element.
 *
 * A browser's translator replaces text nodes. React fails when it removes such a node, or inserts before it, and changes
 * nothing visible when it updates one. The text of an element without other children it sets as a whole.
 */
export function Text({ children }: { children?: ReactNode }) {
  return Children.map(children, (child) => (typeof child === 'object' ? child : <span>{child}</span>));
}
