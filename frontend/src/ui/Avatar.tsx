import * as styles from './Avatar.module.css';
import { initialsOf, tintOf } from './initials';

interface AvatarProps {
  name: string;
  /** Large where the page is about the person. */
  size?: 'small' | 'large';
}

/** A person without a photograph: the initials, on a tint of their own. It decorates the name that it stands by. */
export function Avatar({ name, size = 'small' }: AvatarProps) {
  return (
    <span className={styles.avatar} data-tint={tintOf(name)} data-size={size} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
