import { ArrowRight, type IconNode } from 'lucide';

import { track } from '../../consent/track';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import * as styles from './PathPanel.module.css';

interface PathPanelProps {
  userType: 'sailor' | 'company';
  to: string;
  icon: IconNode;
  title: string;
  offer: string;
}

/** Render a link to one of the audiences. */
export function PathPanel({ userType, to, icon, title, offer }: PathPanelProps) {
  return (
    <Link
      to={to}
      className={styles.panel}
      onClick={() => track('user_type_selection', { user_type: userType, location: 'crossroad' })}
    >
      <span className={styles.icon}>
        <Icon of={icon} size={26} />
      </span>
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        <span className={styles.offer}>{offer}</span>
      </span>
      <span className={styles.arrow}>
        <Icon of={ArrowRight} />
      </span>
    </Link>
  );
}
