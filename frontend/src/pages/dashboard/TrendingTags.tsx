import { FormattedMessage } from 'react-intl';

import type { Tag } from './dashboard';
import { SideSection } from './SideSection';
import * as styles from './TrendingTags.module.css';

export function TrendingTags({ tags }: { tags: readonly Tag[] }) {
  return (
    <SideSection title={<FormattedMessage id="dashboard.trending" />}>
      <ol className={styles.tags}>
        {tags.map(({ name, posts }) => (
          <li key={name} className={styles.tag}>
            <span className={styles.name}>{name}</span>
            <span className={styles.count}>
              <FormattedMessage id="dashboard.postCount" values={{ count: posts }} />
            </span>
          </li>
        ))}
      </ol>
    </SideSection>
  );
}
