import { clsx } from 'clsx';
import type { HTMLAttributes } from 'react';

import * as styles from './Card.module.css';

interface CardProps extends HTMLAttributes<HTMLElement> {
  element?: 'div' | 'li' | 'article' | 'section';
  /** Whether the card lifts on hover, because a link covers it. */
  lifts?: boolean;
}

export function Card({ element: Element = 'div', lifts = false, className, ...rest }: CardProps) {
  return <Element {...rest} className={clsx(styles.card, lifts && styles.lifts, className)} />;
}
