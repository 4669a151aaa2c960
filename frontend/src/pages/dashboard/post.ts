/** What a sailor told the community (spec section 3, Dashboard post). */
export interface Post {
  id: string;
  author: string;
  role: string;
  /** Relative to now, in words. */
  time: string;
  content: string;
  likes: number;
  comments: number;
  shares: number;
}
