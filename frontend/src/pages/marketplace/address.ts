import { isDay } from '../../calendar/day';
import { BOAT_TYPES, OWNER_TYPES } from './boat';
import { CAPACITIES, type Filters, LENGTHS, NO_FILTERS } from './filters';
import { type Sort, SORTS } from './sorting';

/** What the visitor asked to see, and in which order. */
export interface Listing extends Filters {
  sort: Sort;
}

export const WHOLE_LISTING: Listing = { ...NO_FILTERS, sort: 'recommended' };

/** The name of each choice in the address. */
const NAMES: Record<keyof Listing, string> = {
  search: 'q',
  location: 'location',
  from: 'from',
  to: 'to',
  type: 'type',
  ownerType: 'owner',
  minPrice: 'min',
  maxPrice: 'max',
  minLength: 'length',
  minCapacity: 'capacity',
  sort: 'sort',
};

/** The digits of the highest price that can be asked for, and that a field takes. */
export const PRICE_DIGITS = 6;

/** Whether a text is a price: a whole number (spec section 5). */
export function isPrice(text: string): boolean {
  return /^\d+$/.test(text) && text.length <= PRICE_DIGITS;
}

/**
 * Reads a listing from the query of an address; what is missing or no choice is as if nothing was chosen.
 *
 * @param search the query, with or without its question mark
 * @param locations the places that can be chosen
 */
export function readListing(search: string, locations: readonly string[]): Listing {
  const params = new URLSearchParams(search);
  const text = (key: keyof Listing) => params.get(NAMES[key]) ?? '';
  const oneOf = <Value extends string>(key: keyof Listing, choices: readonly Value[]) =>
    choices.find((choice) => choice === text(key));
  const least = (key: keyof Listing, choices: readonly number[]) =>
    choices.find((choice) => String(choice) === text(key)) ?? 0;
  const price = (key: 'minPrice' | 'maxPrice') => (isPrice(text(key)) ? Number(text(key)) : NO_FILTERS[key]);
  const day = (key: 'from' | 'to') => (isDay(text(key)) ? text(key) : '');
  return {
    search: text('search'),
    location: oneOf('location', locations) ?? '',
    from: day('from'),
    to: day('to'),
    type: oneOf('type', BOAT_TYPES) ?? '',
    ownerType: oneOf('ownerType', OWNER_TYPES) ?? '',
    minPrice: price('minPrice'),
    maxPrice: price('maxPrice'),
    minLength: least('minLength', LENGTHS),
    minCapacity: least('minCapacity', CAPACITIES),
    sort: oneOf('sort', SORTS) ?? WHOLE_LISTING.sort,
  };
}

/** The query that `readListing` reads a listing from: with its question mark, or empty when nothing is chosen. */
export function writeListing(listing: Listing): string {
  const params = new URLSearchParams();
  for (const [key, name] of Object.entries(NAMES) as [keyof Listing, string][]) {
    if (listing[key] !== WHOLE_LISTING[key]) params.set(name, String(listing[key]));
  }
  const query = params.toString();
  return query && `?${query}`;
}
