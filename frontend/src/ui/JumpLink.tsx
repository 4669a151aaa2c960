import { clsx } from 'clsx';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

import * as styles from './Button.module.css';
import type { ButtonVariant } from './Button';
import { opensElsewhere } from './Link';

interface JumpLinkProps {
  /** The id of an element of this page with `tabIndex={-1}`. */
  target: string;
  variant?: ButtonVariant;
  onClick?: () => void;
  children: ReactNode;
}

/** The input that cancels a pending jump. */
const CANCEL_EVENTS = ['pointerdown', 'keydown', 'wheel'];

/**
 * A button-like link to an element of this page: scrolls there and moves the focus, once the element exists.
 *
 * The address stays, so that Back leaves the page.
 */
export function JumpLink({ target, variant = 'primary', onClick, children }: JumpLinkProps) {
  const waiting = useRef<AbortController>(undefined);
  useEffect(() => () => waiting.current?.abort(), []);

  function jump(event: MouseEvent) {
    onClick?.();
    if (opensElsewhere(event)) return;
    event.preventDefault();
    waiting.current?.abort();
    if (!jumpTo(target)) waiting.current = jumpWhenThere(target);
  }

  return (
    <a className={clsx(styles.button, styles[variant])} href={`#${target}`} onClick={jump}>
      {children}
    </a>
  );
}

/** Scroll to the target; return whether it exists. */
function jumpTo(target: string): boolean {
  const place = document.getElementById(target);
  const prefersReducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  place?.focus({ preventScroll: true });
  place?.scrollIntoView({ behavior: prefersReducedMotion ? 'instant' : 'smooth' });
  return place !== null;
}

/** Wait for the target to exist, until the visitor does something else. */
function jumpWhenThere(target: string): AbortController {
  const wait = new AbortController();
  const { signal } = wait;
  const changes = new MutationObserver(() => {
    if (jumpTo(target)) wait.abort();
  });
  changes.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => changes.disconnect());
  for (const event of CANCEL_EVENTS) {
    window.addEventListener(event, () => wait.abort(), { signal, capture: true, passive: true });
  }
  return wait;
}
