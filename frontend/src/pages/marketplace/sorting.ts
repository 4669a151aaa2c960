import type { MessageId } from '../../i18n/catalogues';
import type { Boat } from './boat';

export const SORTS = ['recommended', 'price-low', 'price-high', 'rating', 'length'] as const;
export type Sort = (typeof SORTS)[number];

export const SORT_LABELS: Record<Sort, MessageId> = {
  recommended: 'marketplace.sortRecommended',
  'price-low': 'marketplace.sortPriceLow',
  'price-high': 'marketplace.sortPriceHigh',
  rating: 'marketplace.sortRating',
  length: 'marketplace.sortLength',
};

const COMPARATORS: Record<Exclude<Sort, 'recommended'>, (one: Boat, other: Boat) => number> = {
  'price-low': (one, other) => one.pricePerDay - other.pricePerDay,
  'price-high': (one, other) => other.pricePerDay - one.pricePerDay,
  rating: (one, other) => other.rating - one.rating || other.reviewCount - one.reviewCount,
  length: (one, other) => other.length - one.length,
};

/** Sort boats; "recommended" keeps the order of the API, as do equal boats. */
export function sortBoats(boats: readonly Boat[], sort: Sort): readonly Boat[] {
  return sort === 'recommended' ? boats : [...boats].sort(COMPARATORS[sort]);
}
