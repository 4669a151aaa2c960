/** The colours of a progress, from nothing done to all done. */
export type ProgressTone = 'none' | 'some' | 'most' | 'all';

/**
 * The colour of a progress (spec section 4): 0 grey, below 50 orange, below 100 blue, 100 green.
 *
 * @param percent how much is done, of 100
 */
export function progressTone(percent: number): ProgressTone {
  if (percent <= 0) return 'none';
  if (percent < 50) return 'some';
  return percent < 100 ? 'most' : 'all';
}
