/** A word that many posts carry these days. */
export interface Tag {
  name: string;
  posts: number;
}

/** The sample tags, the busiest first. */
export const SAMPLE_TAGS: readonly Tag[] = [
  { name: '#AdriaticAutumn', posts: 214 },
  { name: '#CrewWanted', posts: 168 },
  { name: '#FirstNightWatch', posts: 97 },
  { name: '#GennakerMonday', posts: 63 },
  { name: '#AnchorStories', posts: 41 },
];
