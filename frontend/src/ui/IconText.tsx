import { clsx } from 'clsx';
import type { IconNode } from 'lucide';

import { Icon } from './Icon';

interface IconTextProps {
  element?: 'li' | 'p' | 'span';
  icon: IconNode;
  size?: number;
  className?: string | undefined;
  children: string;
}

/** A text with an icon before it. */
export function IconText({ element: Element = 'li', icon, size = 18, className, children }: IconTextProps) {
  return (
    <Element className={clsx('icon-text', className)}>
      <Icon icon={icon} size={size} />
      <span>{children}</span>
    </Element>
  );
}
