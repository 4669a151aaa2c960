import * as styles from './Avatar.module.css';

/** The number of tints in Avatar.module.css. */
const TINTS = 6;

/** The initials of a person, hidden from screen readers: the name is beside them. */
export function Avatar({ name, size = 'small' }: { name: string; size?: 'tiny' | 'small' | 'large' }) {
  return (
    <span className={styles.avatar} data-tint={getTint(name)} data-size={size} aria-hidden="true">
      {getInitials(name)}
    </span>
  );
}

/** Return the initials of the first and the last word of a name. */
export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase() ?? '').join('');
}

/** Return the tint of a name, a hash of its letters. */
export function getTint(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return hash % TINTS;
}
