import { ArrowLeft, ArrowRight, Sailboat } from 'lucide';
import { FormattedNumber } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { FEATURES } from './features';
import * as styles from './StripControls.module.css';

interface StripControlsProps {
  /** The current card, from 0. */
  index: number;
  onShow: (index: number) => void;
}

/** Render a dot per card, with a boat at the current one, between two step buttons. */
export function StripControls({ index, onShow }: StripControlsProps) {
  const t = useT();
  const last = FEATURES.length - 1;
  return (
    <div className={styles.controls}>
      <IconButton
        label={t('landingSailorsBelow.previous')}
        icon={ArrowLeft}
        isOff={index === 0}
        onClick={() => onShow(index - 1)}
        className={styles.step}
      />
      <div className={styles.course}>
        <span className={styles.boat} aria-hidden="true">
          <Icon icon={Sailboat} size={22} />
        </span>
        <ol className={styles.dots}>
          {FEATURES.map(({ title }, number) => (
            <li key={title}>
              <button
                type="button"
                className={styles.dot}
                aria-label={t(title)}
                aria-current={number === index ? 'true' : undefined}
                onClick={() => onShow(number)}
              />
            </li>
          ))}
        </ol>
      </div>
      <p className={styles.count} aria-hidden="true">
        <strong>
          <FormattedNumber value={index + 1} minimumIntegerDigits={2} />
        </strong>
        <span className={styles.total}>
          <FormattedNumber value={last + 1} minimumIntegerDigits={2} />
        </span>
      </p>
      <IconButton
        label={t('landingSailorsBelow.next')}
        icon={ArrowRight}
        isOff={index === last}
        onClick={() => onShow(index + 1)}
        className={styles.step}
      />
    </div>
  );
}
