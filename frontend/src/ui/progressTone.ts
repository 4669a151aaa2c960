export type ProgressTone = 'none' | 'some' | 'most' | 'all';

/** Return the tone of a progress in percent (spec section 4): grey, orange, blue or green. */
export function progressTone(percent: number): ProgressTone {
  if (percent <= 0) return 'none';
  if (percent < 50) return 'some';
  return percent < 100 ? 'most' : 'all';
}
