import { clsx } from 'clsx';
import type { ComponentProps, MouseEvent } from 'react';
import { Link, type LinkProps } from './Link';

import * as styles from './Button.module.css';
import { Spinner } from './Spinner';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  /** The text while the action is pending; the button cannot be pressed then. */
  pendingLabel?: string | false;
}

/** A button. While pending it is `aria-disabled`, because a disabled button would lose the focus. */
export function Button({
  variant = 'primary',
  pendingLabel,
  onClick,
  children,
  className,
  ...rest
}: ButtonProps) {
  const ignore = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      type="button"
      aria-disabled={pendingLabel ? true : undefined}
      {...rest}
      className={clsx(styles.button, styles[variant], className)}
      onClick={pendingLabel ? ignore : onClick}
    >
      {pendingLabel ? (
        <>
          <Spinner />
          <span>{pendingLabel}</span>
        </>
      ) : (
        children
      )}
    </button>
  );
}

interface ButtonLinkProps extends LinkProps {
  variant?: ButtonVariant;
}

/** A link to another page that looks like a button. */
export function ButtonLink({ variant = 'primary', className, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={clsx(styles.button, styles[variant], className)} />;
}
