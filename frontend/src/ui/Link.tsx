import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router-dom';

import { focusHeading, scrollPage } from './pageStart';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** The path of a page of ours, with its query. */
  to: string;
}

/** Whether a click on a link asks the browser for another tab, another window or a download. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}

/**
 * A link to another page, which opens without loading the document anew. A link to the page it stands on says so, and
 * shows that page from its start, as loading it would; the history does not grow.
 *
 * React Router's own Link brings its framework's prefetching along, 3 KB of first load.
 */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const isHere = useLocation().pathname === to;
  const navigate = useLinkClickHandler(to, { target: rest.target, replace: isHere });

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented) return;
    navigate(event);
    if (isHere && !opensElsewhere(event)) {
      scrollPage(0);
      focusHeading();
    }
  }

  return (
    <a aria-current={isHere ? 'page' : undefined} {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}
