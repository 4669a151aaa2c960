import type { IconNode } from 'lucide';

import { useT } from '../i18n/LanguageProvider';
import type { MessageId } from '../i18n/catalogues';
import { Card } from './Card';
import * as styles from './IconCards.module.css';
import { IconDisc } from './Icon';

export interface IconCard {
  icon: IconNode;
  title: MessageId;
  text: MessageId;
}

interface IconCardsProps {
  cards: readonly IconCard[];
  /** Cards in columns, cards in rows with the icon beside the text, or cells of one panel. */
  layout: 'columns' | 'rows' | 'cells';
}

/** A list of cards, each with an icon, a title and a text. */
export function IconCards({ cards, layout }: IconCardsProps) {
  const t = useT();
  return (
    <ul className={styles.cards} data-layout={layout}>
      {cards.map(({ icon, title, text }) => (
        <Card element="li" key={title} className={styles.card}>
          <IconDisc icon={icon} />
          <h3 className={styles.title}>{t(title)}</h3>
          <p className={styles.text}>{t(text)}</p>
        </Card>
      ))}
    </ul>
  );
}
