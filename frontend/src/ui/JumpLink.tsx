import { clsx } from 'clsx';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

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

/** What a visitor does who does not wait for the jump any more. */
const CHANGES_OF_MIND = ['pointerdown', 'keydown', 'wheel'];

/**
 * A link further down the page that looks like a button: the page scrolls there, smoothly unless less motion is
 * wanted, and the focus goes along; at once, or when that part has been loaded. The address stays, so Back leaves the
 * page as ever. Without a script it is a plain link to a fragment.
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

/** @returns whether the page has the target */
function jumpTo(target: string): boolean {
  const place = document.getElementById(target);
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  place?.focus({ preventScroll: true });
  place?.scrollIntoView({ behavior: isCalm ? 'instant' : 'smooth' });
  return place !== null;
}

/** @returns ends the wait, as the visitor does who goes on elsewhere */
function jumpWhenThere(target: string): AbortController {
  const wait = new AbortController();
  const { signal } = wait;
  const changes = new MutationObserver(() => {
    if (jumpTo(target)) wait.abort();
  });
  changes.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => changes.disconnect());
  for (const event of CHANGES_OF_MIND) {
    window.addEventListener(event, () => wait.abort(), { signal, capture: true, passive: true });
  }
  return wait;
}
