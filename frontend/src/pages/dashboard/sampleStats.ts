/** What a member has sailed. */
export interface SailingStats {
  trips: number;
  miles: number;
  races: number;
}

/** The figures beside the feed, as spec section 2 gives them. */
export const SAMPLE_STATS: SailingStats = { trips: 12, miles: 847, races: 5 };
