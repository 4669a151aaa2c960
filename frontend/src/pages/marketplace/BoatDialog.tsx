import { clsx } from 'clsx';
import { Check } from 'lucide';
import { useId, useState } from 'react';
import { useIntl } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { type Day, toDate } from '../../features/calendar';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Button } from '../../ui/Button';
import { Dialog, DialogAction } from '../../ui/Dialog';
import { IconText } from '../../ui/IconText';
import { PersonCard } from '../../ui/PersonCard';
import { Picture } from '../../ui/Picture';
import { PictureFrame } from '../../ui/PictureFrame';
import { type Boat, OWNER_LABELS, TYPE_LABELS } from './boat';
import * as styles from './BoatDialog.module.css';
import { Price, Rating } from './BoatCard';

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
  const facts = [
    { label: 'marketplace.typeOfBoat', fact: t(TYPE_LABELS[boat.type]) },
    {
      label: 'marketplace.lengthOfBoat',
      fact: t('marketplace.length', { feet: boat.length, meters: format.meters(boat.length) }),
    },
    {
      label: 'marketplace.capacityOfBoat',
      fact: t('marketplace.capacity', { people: boat.capacity }),
    },
    { label: 'marketplace.home', fact: boat.location },
  ] as const;
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
        <Gallery boat={boat} />
        <p className={styles.description}>{boat.description}</p>
        <dl className={styles.facts}>
          {facts.map(({ label, fact }) => (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
        <section aria-labelledby={amenitiesId}>
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
        <section aria-labelledby={bookedId}>
          <h3 id={bookedId} className="label">
            {t('marketplace.booked')}
          </h3>
          {booked.length === 0 ? (
            <p className={styles.free}>{t('marketplace.freeAllTheTime')}</p>
          ) : (
            <ul className={clsx('wrap', styles.booked)}>
              {booked.map(({ from, to }) => (
                <li key={from}>
                  {formatDateTimeRange(toDate(from), toDate(to), { dateStyle: 'long', timeZone: 'UTC' })}
                </li>
              ))}
            </ul>
          )}
        </section>
        <PersonCard name={boat.ownerName} role={t(OWNER_LABELS[boat.ownerType])}>
          <Rating boat={boat} />
        </PersonCard>
      </div>
    </Dialog>
  );
}

/** Render the pictures of a boat: one large, and a button for each. */
function Gallery({ boat: { name, images } }: { boat: Boat }) {
  const t = useT();
  const [shown, setShown] = useState(images[0]);
  return (
    <div role="group" aria-label={t('marketplace.pictures', { name })} className={styles.gallery}>
      <PictureFrame
        files={shown}
        alt={shown.alt}
        sizes="(width >= 768px) 34rem, 92vw"
        className={styles.large}
      />
      {images.length > 1 && (
        <ul className={styles.choice}>
          {images.map((image) => (
            <li key={image.webp}>
              <button
                type="button"
                className={styles.thumbnail}
                aria-label={image.alt}
                aria-current={image === shown ? 'true' : undefined}
                onClick={() => setShown(image)}
              >
                <Picture files={image} alt="" sizes="8rem" lazy className={styles.picture} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
