import type { ReactNode } from 'react';

import { Avatar } from './Avatar';
import * as styles from './PersonCard.module.css';

interface PersonCardProps {
  name: string;
  role: ReactNode;
  /** What stands at the end of the line, such as a rating. */
  children?: ReactNode;
}

/** A person or a company on a tinted card, as in the details of what they offer. */
export function PersonCard({ name, role, children }: PersonCardProps) {
  return (
    <div className={styles.card}>
      <Avatar name={name} />
      <p className="muted">
        <strong className={styles.name}>{name}</strong>
        <span>{role}</span>
      </p>
      {children && <div className={styles.end}>{children}</div>}
    </div>
  );
}
