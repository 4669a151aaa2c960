import { isDay } from '../../features/calendar';
import type { MessageId } from '../../i18n/catalogues';
import { createChoiceReader, type Readers, readState } from '../../lib/router/useUrlState';
import { type Boat, BOAT_TYPES, type BoatType, OWNER_TYPES, type OwnerType, type Period } from './boat';

/** Choices for the minimum length, in feet, and the minimum capacity, in people (spec section 9). */
export const LENGTHS = [25, 30, 35, 40, 50] as const;
export const CAPACITIES = [4, 6, 8, 10, 12] as const;

/** Default price range per day, in US dollars (spec sections 5 and 9). */
const DEFAULT_MIN_PRICE = 0;
export const DEFAULT_MAX_PRICE = 1000;

export const SORTS = ['recommended', 'price-low', 'price-high', 'rating', 'length'] as const;
type Sort = (typeof SORTS)[number];

export const SORT_LABELS: Record<Sort, MessageId> = {
  recommended: 'marketplace.sortRecommended',
  'price-low': 'marketplace.sortPriceLow',
  'price-high': 'marketplace.sortPriceHigh',
  rating: 'marketplace.sortRating',
  length: 'marketplace.sortLength',
};

/** What the boats are filtered by, and their order; empty strings and minimums of 0 match every boat. */
export interface BoatSearch extends Period {
  search: string;
  /** The id of a location. */
  location: string;
  type: BoatType | '';
  ownerType: OwnerType | '';
  minPrice: number;
  maxPrice: number;
  minLength: number;
  minCapacity: number;
  sort: Sort;
}

const readText = (text: string) => text;
const readDay = (text: string) => (isDay(text) ? text : '');

/** Read a whole number (spec section 5); a blank or negative one is the default. */
function createNumberReader(byDefault: number) {
  return (text: string) => {
    const number = Number.parseInt(text, 10);
    return number >= 0 ? number : byDefault;
  };
}

export const READERS: Readers<BoatSearch> = {
  search: readText,
  location: readText,
  from: readDay,
  to: readDay,
  type: createChoiceReader(BOAT_TYPES),
  ownerType: createChoiceReader(OWNER_TYPES),
  minPrice: createNumberReader(DEFAULT_MIN_PRICE),
  maxPrice: createNumberReader(DEFAULT_MAX_PRICE),
  minLength: createNumberReader(0),
  minCapacity: createNumberReader(0),
  sort: (text) => createChoiceReader(SORTS)(text) || 'recommended',
};

export const NO_SEARCH = readState('', READERS);

/** Normalize a text for comparison without case, accents and repeated spaces. */
function normalizeText(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim();
}

const COMPARATORS: Record<Exclude<Sort, 'recommended'>, (one: Boat, other: Boat) => number> = {
  'price-low': (one, other) => one.pricePerDay - other.pricePerDay,
  'price-high': (one, other) => other.pricePerDay - one.pricePerDay,
  rating: (one, other) => other.rating - one.rating || other.reviewCount - one.reviewCount,
  length: (one, other) => other.length - one.length,
};

/**
 * Return the boats that match every filter, sorted; "recommended" keeps the order of the API, as do equal boats.
 *
 * A rental period matches the boats that are available on each of its days; without one of its ends it is one day. The ends
 * of a range may be in either order.
 */
export function findBoats(boats: readonly Boat[], search: BoatSearch): Boat[] {
  const term = normalizeText(search.search);
  const [from = '', to = from] = [search.from, search.to].filter(Boolean).sort();
  const prices = [search.minPrice, search.maxPrice];
  const found = boats.filter(
    (boat) =>
      // By name, location and owner (spec section 5).
      [boat.name, boat.location, boat.ownerName].some((text) => normalizeText(text).includes(term)) &&
      (!search.location || boat.locationId === search.location) &&
      (!search.type || boat.type === search.type) &&
      (!search.ownerType || boat.ownerType === search.ownerType) &&
      boat.pricePerDay >= Math.min(...prices) &&
      boat.pricePerDay <= Math.max(...prices) &&
      boat.length >= search.minLength &&
      boat.capacity >= search.minCapacity &&
      (!from || (boat.available && !boat.booked.some((booked) => booked.from <= to && from <= booked.to))),
  );
  return search.sort === 'recommended' ? found : found.sort(COMPARATORS[search.sort]);
}

/** Count the filters in use, without the search; the two ends of a range count once. */
export function countActiveFilters(search: BoatSearch): number {
  const { location, from, to, type, ownerType, minPrice, maxPrice, minLength, minCapacity } = search;
  const hasPrice = minPrice !== DEFAULT_MIN_PRICE || maxPrice !== DEFAULT_MAX_PRICE;
  return [location, from || to, type, ownerType, hasPrice, minLength, minCapacity].filter(Boolean).length;
}
