import { clsx } from 'clsx';
import * as styles from './Logo.module.css';

/** Not translated. */
const NAME = 'Sailing';

export function Logo() {
  return (
    <span className={clsx('title', styles.logo)}>
      <svg viewBox="0 0 64 64" fill="currentColor" aria-hidden="true" focusable="false">
        <path d="M33.5 4.5C45.6 13.2 53.2 25.6 55 41.2c.1 1-.6 1.8-1.6 1.8H35.2c-.9 0-1.7-.8-1.7-1.7z" />
        <path d="M28.9 14.2c.5-.9 1.1-.7 1.1.3v26.8c0 .9-.8 1.7-1.7 1.7H11.6c-1.3 0-1.9-1.3-1.1-2.3 7.7-9 13.9-17.9 18.4-26.5z" />
        <path d="M4.6 49.7c-.8-.8-.3-1.7.8-1.7h4.3c8.9 0 13.7 1.3 20.6 4.2 9.6 4 18.3 3.5 27.7-1.9 1.3-.7 2.3.2 1.7 1.5-4.2 8.2-14 12-25.6 8.3C24.6 57.1 13.2 57.6 4.6 49.7z" />
      </svg>
      <span>{NAME}</span>
    </span>
  );
}
