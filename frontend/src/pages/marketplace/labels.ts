import type { BoatType, OwnerType } from './boat';
import type { Sort } from './sorting';

/** What the values that a boat has and a list is sorted by are called on the screen. */

export const TYPE_LABELS = {
  sailboat: 'marketplace.sailboat',
  catamaran: 'marketplace.catamaran',
  yacht: 'marketplace.yacht',
  motorboat: 'marketplace.motorboat',
} as const satisfies Record<BoatType, string>;

export const OWNER_LABELS = {
  individual: 'marketplace.individual',
  charter: 'marketplace.charter',
} as const satisfies Record<OwnerType, string>;

export const SORT_LABELS = {
  recommended: 'marketplace.sortRecommended',
  'price-low': 'marketplace.sortPriceLow',
  'price-high': 'marketplace.sortPriceHigh',
  rating: 'marketplace.sortRating',
  length: 'marketplace.sortLength',
} as const satisfies Record<Sort, string>;
