import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router-dom';

import { focusHeading, scrollPage } from '../lib/pageStart';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this site, with its query. */
  to: string;
}

/** Return whether a click opens another tab or window, or downloads the target. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}

/**
 * A link to a page of this site.
 *
 * A link to the current page has `aria-current`, scrolls to the top and adds no history entry. React Router's own Link
 * adds 3 KB to the first load for prefetching.
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
