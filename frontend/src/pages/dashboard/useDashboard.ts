import type { Post } from './post';
import { SAMPLE_POSTS } from './samplePosts';
import { SAMPLE_STATS, type SailingStats } from './sampleStats';
import { SAMPLE_TAGS, type Tag } from './sampleTags';

/** What sailors told each other, the latest first: sample data until a server has some. */
export function usePosts(): readonly Post[] {
  return SAMPLE_POSTS;
}

/** What the member has sailed: sample data until a server has some. */
export function useSailingStats(): SailingStats {
  return SAMPLE_STATS;
}

/** What is talked about, the most first: sample data until a server has some. */
export function useTrendingTags(): readonly Tag[] {
  return SAMPLE_TAGS;
}
