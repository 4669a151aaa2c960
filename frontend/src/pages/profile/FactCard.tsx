import { type ReactNode, useId } from 'react';
import { FormattedMessage } from 'react-intl';

import type { MessageId } from '../../i18n/catalogues';
import { Card } from '../../ui/Card';
import * as styles from './FactCard.module.css';

interface FactCardProps {
  titleId: MessageId;
  /** Shown below the facts. */
  note?: MessageId | undefined;
  children: ReactNode;
}

/** A card of related facts. */
export function FactCard({ titleId, note, children }: FactCardProps) {
  const headingId = useId();
  return (
    <Card as="section" aria-labelledby={headingId} className={styles.card}>
      <h2 id={headingId} className={styles.title}>
        <FormattedMessage id={titleId} />
      </h2>
      <dl className={styles.facts}>{children}</dl>
      {note && (
        <p className={styles.note}>
          <FormattedMessage id={note} />
        </p>
      )}
    </Card>
  );
}
