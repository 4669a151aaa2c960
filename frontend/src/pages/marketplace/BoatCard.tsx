import { clsx } from 'clsx';
import { MapPin, MoveHorizontal, Star, Users } from 'lucide';
import { startTransition, useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { Text, useT } from '../../i18n/LanguageProvider';
import { useNumberFormats } from '../../i18n/useNumberFormats';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { IconText } from '../../ui/IconText';
import { MediaCard } from '../../ui/MediaCard';
import { type Boat, OWNER_LABELS, TYPE_LABELS } from './boat';
import * as styles from './BoatCard.module.css';

interface BoatCardProps {
  boat: Boat;
  /** Whether its picture waits until it is near the viewport. */
  lazy: boolean;
  onOpen: () => void;
}

/** Render a boat in the list; a press anywhere on the card of an available boat opens its details. */
export function BoatCard({ boat, lazy, onOpen }: BoatCardProps) {
  const t = useT();
  const format = useNumberFormats();
  const nameId = useId();
  return (
    <MediaCard
      element="article"
      lifts={boat.available}
      aria-labelledby={nameId}
      className={styles.card}
      data-available={boat.available}
      picture={boat.images[0]}
      sizes="(width >= 1024px) 23rem, (width >= 768px) 45vw, 92vw"
      lazy={lazy}
      overlay={
        <>
          <p className="pill">{t(TYPE_LABELS[boat.type])}</p>
          {!boat.available && (
            <p className={clsx('pill', styles.unavailable)}>{t('marketplace.notAvailable')}</p>
          )}
        </>
      }
    >
      <h2 id={nameId} className="title">
        {boat.name}
      </h2>
      <IconText element="p" icon={MapPin} size={16} className={clsx('muted', styles.location)}>
        {boat.location}
      </IconText>
      <div className={styles.figures}>
        <Price boat={boat} />
        <Rating boat={boat} />
      </div>
      <ul className={styles.facts}>
        <IconText icon={MoveHorizontal}>
          {t('marketplace.length', { feet: boat.length, meters: format.meters(boat.length) })}
        </IconText>
        <IconText icon={Users}>{t('marketplace.capacity', { people: boat.capacity })}</IconText>
      </ul>
      <p className={clsx('muted', styles.owner)}>
        <strong>{boat.ownerName}</strong>
        <span>{t(OWNER_LABELS[boat.ownerType])}</span>
      </p>
      <Button
        variant="secondary"
        className={styles.button}
        disabled={!boat.available}
        data-covers={boat.available || undefined}
        aria-haspopup="dialog"
        aria-describedby={nameId}
        data-track="view_details"
        data-track-item={boat.id}
        onClick={() => startTransition(onOpen)} // the press is painted first
      >
        {t(boat.available ? 'marketplace.viewDetails' : 'marketplace.unavailable')}
      </Button>
    </MediaCard>
  );
}

export function Price({ boat: { pricePerDay } }: { boat: Boat }) {
  const format = useNumberFormats();
  return (
    <p className={clsx('muted', styles.price)}>
      <FormattedMessage
        id="marketplace.perDay"
        values={{
          price: format.price(pricePerDay),
          amount: (text) => (
            <strong className={clsx('title', styles.amount)}>
              <Text>{text}</Text>
            </strong>
          ),
        }}
      />
    </p>
  );
}

export function Rating({ boat }: { boat: Boat }) {
  const t = useT();
  const rating = useNumberFormats().rating(boat.rating);
  const reviews = t('marketplace.reviews', { count: boat.reviewCount });
  return (
    <p className={clsx('muted', styles.rating)}>
      <span aria-hidden="true">
        <span className={clsx('title', styles.score)}>
          <Icon icon={Star} size={18} />
          <span>{rating}</span>
        </span>
        <span>{reviews}</span>
      </span>
      <span className="visually-hidden">{t('marketplace.rating', { rating, reviews })}</span>
    </p>
  );
}
