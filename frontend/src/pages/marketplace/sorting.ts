import type { Boat } from './boat';

/** The orders that a list of boats can have; the first is the catalogue's own. */
export const SORTS = ['recommended', 'price-low', 'price-high', 'rating', 'length'] as const;
export type Sort = (typeof SORTS)[number];

const COMPARISONS: Record<Exclude<Sort, 'recommended'>, (one: Boat, other: Boat) => number> = {
  'price-low': (one, other) => one.pricePerDay - other.pricePerDay,
  'price-high': (one, other) => other.pricePerDay - one.pricePerDay,
  // Of two that are rated the same, more have said so of the first.
  rating: (one, other) => other.rating - one.rating || other.reviewCount - one.reviewCount,
  length: (one, other) => other.length - one.length,
};

/** The same boats in another order; those that are equal in it keep the catalogue's. */
export function sortBoats(boats: readonly Boat[], sort: Sort): readonly Boat[] {
  return sort === 'recommended' ? boats : [...boats].sort(COMPARISONS[sort]);
}
