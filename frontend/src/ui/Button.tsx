import { clsx } from 'clsx';
import type { ComponentProps, MouseEvent } from 'react';

import * as styles from './Button.module.css';
import { Link, type LinkProps } from './Link';
import { Spinner } from './Icon';

const VARIANTS = { primary: styles.primary, secondary: styles.secondary, ghost: styles.ghost };

export type ButtonVariant = keyof typeof VARIANTS;

/** Return the classes of whatever looks like a button. */
export function getButtonClass(variant: ButtonVariant = 'primary', className?: string): string {
  return clsx('screen-only', styles.button, VARIANTS[variant], className);
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  /** The text while the action is pending; the button cannot be pressed then. */
  pendingLabel?: string | false;
}

/** A button. While pending it is `aria-disabled`, because a disabled button would lose the focus. */
export function Button({ variant, pendingLabel, onClick, children, className, ...rest }: ButtonProps) {
  const ignore = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      type="button"
      aria-disabled={pendingLabel ? true : undefined}
      {...rest}
      className={getButtonClass(variant, className)}
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
export function ButtonLink({ variant, className, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={getButtonClass(variant, className)} />;
}
