import { clsx } from 'clsx';
import { FormattedMessage, FormattedNumber, useIntl } from 'react-intl';

import { IconDisc } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import * as styles from './FeatureCard.module.css';
import type { Feature } from './features';

interface FeatureCardProps {
  feature: Feature;
  /** From 1. */
  number: number;
  current: boolean;
}

export function FeatureCard({ feature, number, current }: FeatureCardProps) {
  const { formatMessage } = useIntl();
  return (
    <li className={clsx(styles.card, current && styles.current)} data-surface="dark">
      <Picture
        files={feature.picture}
        alt={formatMessage({ id: feature.alt })}
        sizes="(width >= 1024px) 56vw, 82vw"
        className={styles.picture}
        lazy
      />
      <p className={styles.mark} aria-hidden="true">
        <FormattedNumber value={number} minimumIntegerDigits={2} />
        <IconDisc icon={feature.icon} />
      </p>
      <h3 className={styles.title}>
        <FormattedMessage id={feature.title} />
      </h3>
      <p className={styles.text}>
        <FormattedMessage id={feature.text} />
      </p>
    </li>
  );
}
