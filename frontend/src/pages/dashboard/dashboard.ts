import { useMemo } from 'react';

import {
  createSampleResult,
  addCreatedAt,
  type SampleItem,
  type QueryResult,
  useSample,
} from '../../lib/query';
import type { DescribedPicture } from '../../ui/Picture';

/** A post in the feed (spec section 3, Dashboard post). */
export interface Post {
  id: string;
  author: string;
  role: string;
  /** ISO 8601. */
  createdAt: string;
  content: string;
  image?: DescribedPicture;
  likes: number;
  comments: number;
  shares: number;
}

/** A hashtag and the number of posts that use it. */
export interface Tag {
  name: string;
  posts: number;
}

export interface Dashboard {
  stats: { trips: number; miles: number; races: number };
  /** Newest first. */
  posts: readonly Post[];
  /** Most used first. */
  trendingTags: readonly Tag[];
}

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
