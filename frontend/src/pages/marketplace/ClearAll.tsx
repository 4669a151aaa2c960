import { FormattedMessage } from 'react-intl';

import { Button, type ButtonVariant } from '../../ui/Button';

interface ClearAllProps {
  variant?: ButtonVariant;
  onClick: () => void;
}

/** Takes back all that narrows the list: the search and every filter. */
export function ClearAll({ variant = 'ghost', onClick }: ClearAllProps) {
  return (
    <Button variant={variant} onClick={onClick}>
      <FormattedMessage id="marketplace.clearAll" />
    </Button>
  );
}
