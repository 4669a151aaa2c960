import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router-dom';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** The path of a page of ours. */
  to: string;
  /** What the page that opens finds in its location's state. */
  state?: unknown;
}

/**
 * A link to another page, which opens without loading the document anew; to the page it stands on, it
 * says so.
 *
 * React Router's own Link brings its framework's prefetching along, 3 KB of first load.
 */
export function Link({ to, state, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const { pathname } = useLocation();
  const navigate = useLinkClickHandler(to, { state, target: rest.target });

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (!event.defaultPrevented) navigate(event);
  }

  return (
    <a aria-current={pathname === to ? 'page' : undefined} {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}
