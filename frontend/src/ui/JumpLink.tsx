import type { MouseEvent, ReactNode } from 'react';

import { type ButtonVariant, getButtonClass } from './Button';
import { opensElsewhere } from './Link';

interface JumpLinkProps {
  /** The id of an element of this page with `tabIndex={-1}`. */
  target: string;
  variant?: ButtonVariant;
  children: ReactNode;
}

/**
 * A button-like link to an element of this page: scrolls there and moves the focus.
 *
 * The address stays, so that Back leaves the page.
 */
export function JumpLink({ target, variant, children, ...rest }: JumpLinkProps) {
  function jump(event: MouseEvent) {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    const place = document.getElementById(target);
    const prefersReducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    place?.focus({ preventScroll: true });
    place?.scrollIntoView({ behavior: prefersReducedMotion ? 'instant' : 'smooth' });
  }

  return (
    <a {...rest} className={getButtonClass(variant)} href={`#${target}`} onClick={jump}>
      {children}
    </a>
  );
}
