import { clsx } from 'clsx';
import type { MouseEvent, ReactNode } from 'react';

import * as styles from './Button.module.css';
import type { ButtonVariant } from './Button';
import { opensElsewhere } from './Link';

interface JumpLinkProps {
  /** The id of the part of this page that it leads to; it can take the focus (`tabIndex={-1}`). */
  target: string;
  variant?: ButtonVariant;
  onClick?: () => void;
  children: ReactNode;
}

/**
 * A link further down the page that looks like a button: the page scrolls there, smoothly unless less motion is
 * wanted, and the focus goes along. The address stays, so Back leaves the page as ever. Without a script it is a
 * plain link to a fragment.
 */
export function JumpLink({ target, variant = 'primary', onClick, children }: JumpLinkProps) {
  function jump(event: MouseEvent) {
    onClick?.();
    const place = document.getElementById(target);
    if (!place || opensElsewhere(event)) return;
    event.preventDefault();
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    place.focus({ preventScroll: true });
    place.scrollIntoView({ behavior: isCalm ? 'instant' : 'smooth' });
  }

  return (
    <a className={clsx(styles.button, styles[variant])} href={`#${target}`} onClick={jump}>
      {children}
    </a>
  );
}
