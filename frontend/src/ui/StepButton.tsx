import type { IconNode } from 'lucide';

import { Icon } from './Icon';

interface StepButtonProps {
  label: string;
  icon: IconNode;
  /** Whether there is no further step. */
  isAtEnd: boolean;
  onStep: () => void;
  className: string | undefined;
}

/** A button that steps back or forward. At the end it is `aria-disabled`, because a disabled button would lose the focus. */
export function StepButton({ label, icon, isAtEnd, onStep, className }: StepButtonProps) {
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      aria-disabled={isAtEnd || undefined}
      onClick={isAtEnd ? undefined : onStep}
    >
      <Icon icon={icon} />
    </button>
  );
}
