import { useMemo } from 'react';

import {
  addCreatedAt,
  createSampleResult,
  type QueryResult,
  type SampleItem,
  useSample,
} from '../../../lib/query';
import type { Dashboard, Post } from '../dashboard';

/** The time of the visit. */
const NOW = Date.now();

/** Query what the dashboard shows (sample data until the API has it). */
export function useDashboardQuery(): QueryResult<Dashboard> {
  const sample = useSample('sample-dashboard') as Omit<Dashboard, 'posts'> & {
    posts: readonly SampleItem<Post>[];
  };
  return useMemo(
    () => createSampleResult({ ...sample, posts: sample.posts.map((post) => addCreatedAt(post, NOW)) }),
    [sample],
  );
}
