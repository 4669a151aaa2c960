import { clsx } from 'clsx';
import type { HTMLAttributes } from 'react';

import * as styles from './Card.module.css';

interface CardProps extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'li' | 'article' | 'section';
  /** Whether the whole card leads somewhere: it lifts under the pointer. Its link stretches over it by itself. */
  lifts?: boolean;
}

/** A white sheet that holds what belongs together. */
export function Card({ as: Element = 'div', lifts = false, className, ...rest }: CardProps) {
  return <Element {...rest} className={clsx(styles.card, lifts && styles.lifts, className)} />;
}
