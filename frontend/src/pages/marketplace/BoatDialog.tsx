import { Check, MapPin, MoveHorizontal, Sailboat, Users } from 'lucide';
import { useId } from 'react';
import { useIntl } from 'react-intl';

import { type Day, toDate } from '../../features/calendar';
import { useT } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { Dialog, DialogAction } from '../../ui/Dialog';
import { Facts } from '../../ui/Facts';
import { IconText } from '../../ui/IconText';
import { PictureFrame } from '../../ui/PictureFrame';
import { type Boat, OWNER_LABELS, TYPE_LABELS } from './boat';
import { Price, Rating } from './BoatCard';
import * as styles from './BoatDialog.module.css';

interface BoatDialogProps {
  boat: Boat;
  today: Day;
  onClose: () => void;
}

export function BoatDialog({ boat, today, onClose }: BoatDialogProps) {
  const t = useT();
  const { formatDateTimeRange } = useIntl();
  const format = useNumberFormats();
  const opensAtLaunch = useOpensAtLaunch();
  const amenitiesId = useId();
  const bookedId = useId();
  const booked = boat.booked.filter(({ to }) => to >= today);
  return (
    <Dialog
      onClose={onClose}
      title={boat.name}
      footer={
        <DialogAction summary={<Price boat={boat} />}>
          <Button onClick={opensAtLaunch}>{t('marketplace.ask')}</Button>
        </DialogAction>
      }
    >
      <div className="stack">
        {boat.images.map((image) => (
          <PictureFrame
            key={image.webp}
            files={image}
            alt={image.alt}
            sizes="(width >= 768px) 40rem, 92vw"
            className={styles.picture}
          />
        ))}
        <p>{boat.description}</p>
        <Facts
          facts={[
            { icon: Sailboat, label: 'marketplace.typeOfBoat', value: t(TYPE_LABELS[boat.type]) },
            {
              icon: MoveHorizontal,
              label: 'marketplace.lengthOfBoat',
              value: t('marketplace.length', { feet: boat.length, meters: format.meters(boat.length) }),
            },
            {
              icon: Users,
              label: 'marketplace.capacityOfBoat',
              value: t('marketplace.capacity', { people: boat.capacity }),
            },
            { icon: MapPin, label: 'marketplace.home', value: boat.location },
          ]}
        />
        <section aria-labelledby={amenitiesId} className={styles.section}>
          <h3 id={amenitiesId} className="label">
            {t('marketplace.amenities')}
          </h3>
          <ul className={styles.amenities}>
            {boat.amenities.map((amenity) => (
              <IconText key={amenity} icon={Check}>
                {amenity}
              </IconText>
            ))}
          </ul>
        </section>
        <section aria-labelledby={bookedId} className={styles.section}>
          <h3 id={bookedId} className="label">
            {t('marketplace.booked')}
          </h3>
          {booked.length === 0 ? (
            <p className="second">{t('marketplace.freeAllTheTime')}</p>
          ) : (
            <ul className="wrap">
              {booked.map(({ from, to }) => (
                <li key={from} className="pill">
                  {formatDateTimeRange(toDate(from), toDate(to), { dateStyle: 'long', timeZone: 'UTC' })}
                </li>
              ))}
            </ul>
          )}
        </section>
        <div className={styles.owner}>
          <Avatar name={boat.ownerName} />
          <p className="muted">
            <strong className={styles.ownerName}>{boat.ownerName}</strong>
            <span>{t(OWNER_LABELS[boat.ownerType])}</span>
          </p>
          <Rating boat={boat} />
        </div>
      </div>
    </Dialog>
  );
}
