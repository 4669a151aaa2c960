import { FormattedMessage, useIntl } from 'react-intl';
import { Check } from 'lucide';
import { useId } from 'react';

import { type Day, toDate } from '../../calendar/day';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Dialog, DialogAction } from '../../ui/Dialog';
import { Icon } from '../../ui/Icon';
import { PersonCard } from '../../ui/PersonCard';
import { type Boat, OWNER_LABELS, TYPE_LABELS } from './boat';
import * as styles from './BoatDialog.module.css';
import { Price, Rating } from './BoatFigures';
import { Gallery } from './Gallery';

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
      footer={
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

function BoatDetails({ boat, today }: { boat: Boat; today: Day }) {
  const { formatDateTimeRange, formatMessage } = useIntl();
  const format = useNumberFormats();
  const amenitiesId = useId();
  const bookedId = useId();
  const booked = boat.booked.filter(({ to }) => to >= today);
  const facts = [
    { label: 'marketplace.typeOfBoat', fact: formatMessage({ id: TYPE_LABELS[boat.type] }) },
    {
      label: 'marketplace.lengthOfBoat',
      fact: formatMessage(
        { id: 'marketplace.length' },
        { feet: boat.length, meters: format.meters(boat.length) },
      ),
    },
    {
      label: 'marketplace.capacityOfBoat',
      fact: formatMessage({ id: 'marketplace.capacity' }, { people: boat.capacity }),
    },
    { label: 'marketplace.home', fact: boat.location },
  ] as const;
  return (
    <div className={styles.details}>
      <Gallery boat={boat} />
      <p className={styles.description}>{boat.description}</p>
      <dl className={styles.facts}>
        {facts.map(({ label, fact }) => (
          <div key={label}>
            <dt>
              <FormattedMessage id={label} />
            </dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <section aria-labelledby={amenitiesId}>
        <h3 id={amenitiesId} className={styles.heading}>
          <FormattedMessage id="marketplace.amenities" />
        </h3>
        <ul className={styles.amenities}>
          {boat.amenities.map((amenity) => (
            <li key={amenity}>
              <Icon icon={Check} size={18} />
              <span>{amenity}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby={bookedId}>
        <h3 id={bookedId} className={styles.heading}>
          <FormattedMessage id="marketplace.booked" />
        </h3>
        {booked.length === 0 ? (
          <p className={styles.free}>
            <FormattedMessage id="marketplace.freeAllTheTime" />
          </p>
        ) : (
          <ul className={styles.booked}>
            {booked.map(({ from, to }) => (
              <li key={from}>
                {formatDateTimeRange(toDate(from), toDate(to), { dateStyle: 'long', timeZone: 'UTC' })}
              </li>
            ))}
          </ul>
        )}
      </section>
      <PersonCard name={boat.ownerName} role={<FormattedMessage id={OWNER_LABELS[boat.ownerType]} />}>
        <Rating boat={boat} />
      </PersonCard>
    </div>
  );
}
