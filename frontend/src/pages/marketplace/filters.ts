import type { MessageId } from '../../i18n/catalogues';
import type { Boat, BoatType, OwnerType, Period } from './boat';

/** Choices for the minimum length, in feet, and the minimum capacity, in people (spec section 9). */
export const LENGTHS = [25, 30, 35, 40, 50] as const;
export const CAPACITIES = [4, 6, 8, 10, 12] as const;

/** Default price range per day, in US dollars (spec sections 5 and 9). */
export const DEFAULT_MIN_PRICE = 0;
export const DEFAULT_MAX_PRICE = 1000;

/** What the boats are filtered by; empty strings and minimums of 0 match every boat. */
export interface Filters extends Period {
  search: string;
  /** The id of a location. */
  location: string;
  type: BoatType | '';
  ownerType: OwnerType | '';
  minPrice: number;
  maxPrice: number;
  minLength: number;
  minCapacity: number;
}

export const NO_FILTERS: Filters = {
  search: '',
  location: '',
  from: '',
  to: '',
  type: '',
  ownerType: '',
  minPrice: DEFAULT_MIN_PRICE,
  maxPrice: DEFAULT_MAX_PRICE,
  minLength: 0,
  minCapacity: 0,
};

/**
 * Return the boats that match every filter, in the same order.
 *
 * A rental period matches the boats that are available on each of its days. The ends of a range may be in either order.
 */
export function filterBoats(boats: readonly Boat[], filters: Filters): Boat[] {
  const term = normalizeText(filters.search);
  const period = resolvePeriod(filters);
  const prices = [filters.minPrice, filters.maxPrice];
  return boats.filter(
    (boat) =>
      // By name, location and owner (spec section 5).
      [boat.name, boat.location, boat.ownerName].some((text) => normalizeText(text).includes(term)) &&
      (!filters.location || boat.locationId === filters.location) &&
      (!filters.type || boat.type === filters.type) &&
      (!filters.ownerType || boat.ownerType === filters.ownerType) &&
      boat.pricePerDay >= Math.min(...prices) &&
      boat.pricePerDay <= Math.max(...prices) &&
      boat.length >= filters.minLength &&
      boat.capacity >= filters.minCapacity &&
      (!period || (boat.available && !boat.booked.some((booked) => doPeriodsOverlap(booked, period)))),
  );
}

/** Return the requested period: one day when one end is open, undefined when both are. */
export function resolvePeriod(input: Period): Period | undefined {
  const [from = '', to = from] = [input.from, input.to].filter(Boolean).sort();
  return from ? { from, to } : undefined;
}

/** Return whether two periods have a day in common. */
export function doPeriodsOverlap(one: Period, other: Period): boolean {
  return one.from <= other.to && other.from <= one.to;
}

/** Count the filters in use, without the search; the two ends of a range count once. */
export function countActiveFilters(filters: Filters): number {
  const { location, from, to, type, ownerType, minPrice, maxPrice, minLength, minCapacity } = filters;
  const hasPrice = minPrice !== DEFAULT_MIN_PRICE || maxPrice !== DEFAULT_MAX_PRICE;
  return [location, from || to, type, ownerType, hasPrice, minLength, minCapacity].filter(Boolean).length;
}

/** A location to choose. */
export interface Location {
  id: string;
  name: string;
}

/** Return the distinct locations of the boats, sorted by name for the locale. */
export function listLocations(boats: readonly Boat[], locale: string): readonly Location[] {
  const { compare } = new Intl.Collator(locale);
  const names = new Map(boats.map(({ locationId, location }) => [locationId, location]));
  return Array.from(names, ([id, name]) => ({ id, name })).sort((one, other) =>
    compare(one.name, other.name),
  );
}

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

/** Normalize a text for comparison without case, accents and repeated spaces. */
export function normalizeText(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim();
}
