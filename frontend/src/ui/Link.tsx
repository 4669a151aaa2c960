import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useHref, useLocation } from 'react-router-dom';

import { focusHeading, scrollPage } from '../lib/pageStart';
import { useGo } from '../lib/router/navigation';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this site, with its query. */
  to: string;
}

/** Return whether a click opens another tab or window, or downloads the target. */
export function opensElsewhere({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || ctrlKey || metaKey || shiftKey || altKey;
}

/**
 * A link to a page of this site.
 *
 * A link to the current page has `aria-current`, scrolls to the top and adds no history entry. React Router's own Link
 * adds 3 KB to the first load for prefetching, and does not wait for the code of the page.
 */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const isHere = useLocation().pathname === to;
  const go = useGo('link');

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || opensElsewhere(event)) return;
    event.preventDefault();
    go(to, { replace: isHere });
    if (isHere) {
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
