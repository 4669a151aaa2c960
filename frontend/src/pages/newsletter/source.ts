const SOURCES = ['landing-sailors', 'landing-companies'] as const;

/** The landing page whose button led here (spec section 3, Newsletter input). */
export type Source = (typeof SOURCES)[number];

/** The source that a link to the page names in its query; null when there is none, or an unknown one. */
export function sourceOf(search: string): Source | null {
  const named = new URLSearchParams(search).get('source');
  return SOURCES.find((source) => source === named) ?? null;
}
