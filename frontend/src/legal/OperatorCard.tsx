import { useSiteConfig } from '../config/SiteConfig';
import * as styles from './LegalDialog.module.css';

/** Who runs the site. */
export function OperatorCard() {
  const { operator } = useSiteConfig();
  return (
    <address className={styles.operator}>
      <strong>{operator.name}</strong>
      <span>{operator.address}</span>
      <a href={`mailto:${operator.email}`}>{operator.email}</a>
    </address>
  );
}
