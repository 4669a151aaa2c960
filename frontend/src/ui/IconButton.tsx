import { clsx } from 'clsx';
import type { IconNode } from 'lucide';
import type { ComponentProps } from 'react';

import { Icon } from './Icon';

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconNode;
  /** In pixels. */
  size?: number;
  label: string;
  /** Whether it does nothing now. It is `aria-disabled`, because a disabled button would lose the focus. */
  isOff?: boolean;
}

/** A round button of 44 px with an icon. */
export function IconButton({
  icon,
  size,
  label,
  isOff = false,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={clsx('icon-button', className)}
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onClick}
    >
      <Icon icon={icon} size={size} />
    </button>
  );
}
