import { Check } from 'lucide';
import { useId } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { type Day, toDate } from '../../calendar/day';
import { Avatar } from '../../ui/Avatar';
import { Icon } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { type Boat, OWNER_LABELS, TYPE_LABELS } from './boat';
import * as styles from './BoatDetails.module.css';
import { Price } from './Price';
import { Rating } from './Rating';

export function BoatDetails({ boat, today }: { boat: Boat; today: Day }) {
  const { formatDateTimeRange, formatMessage } = useIntl();
  const amenitiesId = useId();
  const bookedId = useId();
  const booked = boat.booked.filter(({ to }) => to >= today);
  const facts = [
    { label: 'marketplace.typeOfBoat', fact: formatMessage({ id: TYPE_LABELS[boat.type] }) },
    {
      label: 'marketplace.lengthOfBoat',
      fact: formatMessage({ id: 'marketplace.length' }, { feet: boat.length }),
    },
    {
      label: 'marketplace.capacityOfBoat',
      fact: formatMessage({ id: 'marketplace.capacity' }, { people: boat.capacity }),
    },
    { label: 'marketplace.home', fact: <span lang="en">{boat.location}</span> },
  ] as const;
  return (
    <div className={styles.details}>
      <ul className={styles.images}>
        {boat.images.map((image) => (
          <li key={image.src}>
            <Picture
              files={image}
              alt={image.alt}
              sizes="(width >= 768px) 40rem, 92vw"
              lazy
              className={styles.picture}
            />
          </li>
        ))}
      </ul>
      <div className={styles.figures}>
        <Price boat={boat} />
        <Rating boat={boat} />
      </div>
      <p className={styles.description} lang="en">
        {boat.description}
      </p>
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
        <ul className={styles.amenities} lang="en">
          {boat.amenities.map((amenity) => (
            <li key={amenity}>
              <Icon of={Check} size={18} />
              {amenity}
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
                {formatDateTimeRange(toDate(from), toDate(to), { dateStyle: 'medium', timeZone: 'UTC' })}
              </li>
            ))}
          </ul>
        )}
      </section>
      <div className={styles.owner}>
        <Avatar name={boat.ownerName} />
        <p>
          <strong>{boat.ownerName}</strong>
          <FormattedMessage id={OWNER_LABELS[boat.ownerType]} />
        </p>
      </div>
    </div>
  );
}
