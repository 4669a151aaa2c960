import * as styles from './Avatar.module.css';
import { initialsOf, tintOf } from './initials';

/** A person without a photograph: the initials, on a tint of their own. It decorates the name that it stands by. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className={styles.avatar} data-tint={tintOf(name)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
