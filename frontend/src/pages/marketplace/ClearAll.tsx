import { FormattedMessage } from 'react-intl';

import { Button, type ButtonVariant } from '../../ui/Button';

interface ClearAllProps {
  variant?: ButtonVariant;
  onClick: () => void;
}

/** Render a button that clears the search and every filter. */
export function ClearAll({ variant = 'ghost', onClick }: ClearAllProps) {
  return (
    <Button variant={variant} onClick={onClick}>
      <FormattedMessage id="marketplace.clearAll" />
    </Button>
  );
}
