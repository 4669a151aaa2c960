import { clsx } from 'clsx';
import type { ComponentProps, MouseEvent } from 'react';
import { Link, type LinkProps } from './Link';

import * as styles from './Button.module.css';
import { Spinner } from './Spinner';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  /** What the button reads while its action is under way; until then it can be pressed. */
  pendingLabel?: string | false;
}

/**
 * A button. While it is pending it keeps the focus, and pressing it does nothing: a disabled button would
 * throw a keyboard's user back to the top of the page.
 */
export function Button({
  variant = 'primary',
  pendingLabel,
  onClick,
  children,
  className,
  ...rest
}: ButtonProps) {
  const refuse = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      type="button"
      aria-disabled={pendingLabel ? true : undefined}
      {...rest}
      className={clsx(styles.button, styles[variant], className)}
      onClick={pendingLabel ? refuse : onClick}
    >
      {pendingLabel ? (
        <>
          <Spinner />
          {pendingLabel}
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
