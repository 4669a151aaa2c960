import { useId } from 'react';
import { FormattedMessage } from 'react-intl';

import type { Post } from './dashboard';
import * as styles from './Feed.module.css';
import { PostCard } from './PostCard';

export function Feed({ posts }: { posts: readonly Post[] }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="visually-hidden">
        <FormattedMessage id="dashboard.posts" />
      </h2>
      <ol className={styles.feed}>
        {posts.map((post) => (
          <li key={post.id}>
            <PostCard post={post} />
          </li>
        ))}
      </ol>
      <p className={styles.end}>
        <FormattedMessage id="dashboard.feedEnd" />
      </p>
    </section>
  );
}
