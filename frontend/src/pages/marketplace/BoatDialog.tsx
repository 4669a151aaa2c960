import { FormattedMessage } from 'react-intl';

import type { Day } from '../../calendar/day';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { DialogAction } from '../../ui/DialogAction';
import type { Boat } from './boat';
import { BoatDetails } from './BoatDetails';
import { Price } from './Price';

interface BoatDialogProps {
  /** Undefined while the dialog is closed. */
  boat: Boat | undefined;
  today: Day;
  onClose: () => void;
}

export function BoatDialog({ boat, today, onClose }: BoatDialogProps) {
  const opensAtLaunch = useOpensAtLaunch();
  return (
    <Dialog
      open={boat !== undefined}
      onClose={onClose}
      title={boat?.name}
      foot={
        boat && (
          <DialogAction summary={<Price boat={boat} />}>
            <Button onClick={opensAtLaunch}>
              <FormattedMessage id="marketplace.ask" />
            </Button>
          </DialogAction>
        )
      }
    >
      {boat && <BoatDetails boat={boat} today={today} />}
    </Dialog>
  );
}
