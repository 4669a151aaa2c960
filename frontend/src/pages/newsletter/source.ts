const SOURCES = ['landing-sailors', 'landing-companies'] as const;

/** The landing page whose button led here (spec section 3, Newsletter input). */
export type Source = (typeof SOURCES)[number];

/** The source that a link left in the state of the router's location; null when there is none. */
export function sourceOf(locationState: unknown): Source | null {
  if (typeof locationState !== 'object' || locationState === null || !('source' in locationState))
    return null;
  return SOURCES.find((source) => source === locationState.source) ?? null;
}
