import { clsx } from 'clsx';
import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';

import type { MessageId } from '../i18n/catalogues';
import { useT } from '../i18n/LanguageProvider';
import * as styles from './Facts.module.css';
import { Icon, IconDisc } from './Icon';

interface FactsProps {
  facts: readonly { icon: IconNode; label: MessageId; value: ReactNode }[];
  /** Whether the icons are in discs. */
  hasDiscs?: boolean;
  className?: string | undefined;
}

/** Labelled values, as many beside each other as fit. */
export function Facts({ facts, hasDiscs = false, className }: FactsProps) {
  const t = useT();
  return (
    <dl className={clsx(styles.facts, className)}>
      {facts.map(({ icon, label, value }) => (
        <div key={label} className={styles.fact}>
          <dt className="muted">
            {hasDiscs ? <IconDisc icon={icon} /> : <Icon icon={icon} size={20} />}
            <span>{t(label)}</span>
          </dt>
          <dd className="label">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
