import { Building2, Mail, MapPin } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { useSiteConfig } from '../../config/SiteConfig';
import type { MessageId } from '../../i18n/catalogues';
import { Icon } from '../../ui/Icon';
import * as styles from './Help.module.css';

/** A text, and who runs Sailing and how to reach them. */
export function Operator({ title, text }: { title: MessageId; text: MessageId }) {
  const { operator } = useSiteConfig();
  return (
    <section className={styles.help}>
      <h2 className={styles.title}>
        <FormattedMessage id={title} />
      </h2>
      <p>
        <FormattedMessage id={text} />
      </p>
      <address className={styles.operator}>
        <p>
          <Icon of={Building2} size={20} />
          <span>{operator.name}</span>
        </p>
        <p>
          <Icon of={MapPin} size={20} />
          <span>{operator.address}</span>
        </p>
        <p>
          <Icon of={Mail} size={20} />
          <a className={styles.link} href={`mailto:${operator.email}`}>
            {operator.email}
          </a>
        </p>
      </address>
    </section>
  );
}
