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
