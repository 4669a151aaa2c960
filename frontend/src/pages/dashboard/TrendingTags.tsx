import { FormattedMessage } from 'react-intl';

import { SideSection } from './SideSection';
import * as styles from './TrendingTags.module.css';
import { useTrendingTags } from './useDashboard';

/** What is talked about. */
export function TrendingTags() {
  const tags = useTrendingTags();
  return (
    <SideSection title={<FormattedMessage id="dashboard.trending" />}>
      <ol className={styles.tags}>
        {tags.map(({ name, posts }) => (
          <li key={name} className={styles.tag}>
            <span className={styles.name} lang="en">
              {name}
            </span>
            <span className={styles.count}>
              <FormattedMessage id="dashboard.postCount" values={{ count: posts }} />
            </span>
          </li>
        ))}
      </ol>
    </SideSection>
  );
}
