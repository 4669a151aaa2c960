import { ArrowRight } from 'lucide';
import { FormattedMessage } from 'react-intl';

import type { MessageId } from '../../i18n/catalogues';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import * as styles from './Help.module.css';

interface OpensAtLaunchProps {
  title: MessageId;
  /** What will be at this path. */
  text: MessageId;
  /** The label of the link to what there is today. */
  link: MessageId;
  to: string;
}

/** What will be at a path from the launch on, and what there is today. */
export function OpensAtLaunch({ title, text, link, to }: OpensAtLaunchProps) {
  return (
    <section className={styles.help}>
      <h2 className={styles.title}>
        <FormattedMessage id={title} />
      </h2>
      <p>
        <FormattedMessage id={text} />
      </p>
      <Link to={to} className={styles.link}>
        <FormattedMessage id={link} />
        <Icon of={ArrowRight} size={20} />
      </Link>
    </section>
  );
}
