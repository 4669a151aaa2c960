import { isDay } from '../../calendar/day';
import { BOAT_TYPES, OWNER_TYPES } from './boat';
import { CAPACITIES, type Filters, LENGTHS, NO_FILTERS, type Sort, SORTS } from './filters';

/** The filters and the order of the list of boats. */
export interface BoatSearch extends Filters {
  sort: Sort;
}

export const DEFAULT_SEARCH: BoatSearch = { ...NO_FILTERS, sort: 'recommended' };

const PARAMETER_NAMES: Record<keyof BoatSearch, string> = {
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

export const MAX_PRICE_DIGITS = 6;

/** Return whether a text is a price in whole dollars (spec section 5). */
export function isPrice(text: string): boolean {
  return /^\d+$/.test(text) && text.length <= MAX_PRICE_DIGITS;
}

/**
 * Read the search from the query string; ignore invalid values.
 *
 * @param locations the ids of the valid locations
 */
export function readSearch(params: URLSearchParams, locations: readonly string[]): BoatSearch {
  const text = (key: keyof BoatSearch) => params.get(PARAMETER_NAMES[key]) ?? '';
  const oneOf = <Value extends string>(key: keyof BoatSearch, choices: readonly Value[]) =>
    choices.find((choice) => choice === text(key));
  const minimum = (key: keyof BoatSearch, choices: readonly number[]) =>
    choices.find((choice) => String(choice) === text(key)) ?? 0;
  const price = (key: 'minPrice' | 'maxPrice') => (isPrice(text(key)) ? Number(text(key)) : NO_FILTERS[key]);
  // A year of more digits, which some browsers take, is kept: its field says what is wrong.
  const day = (key: 'from' | 'to') =>
    isDay(text(key)) || /^\d{5,6}-\d{2}-\d{2}$/.test(text(key)) ? text(key) : '';
  return {
    search: text('search'),
    location: oneOf('location', locations) ?? '',
    from: day('from'),
    to: day('to'),
    type: oneOf('type', BOAT_TYPES) ?? '',
    ownerType: oneOf('ownerType', OWNER_TYPES) ?? '',
    minPrice: price('minPrice'),
    maxPrice: price('maxPrice'),
    minLength: minimum('minLength', LENGTHS),
    minCapacity: minimum('minCapacity', CAPACITIES),
    sort: oneOf('sort', SORTS) ?? DEFAULT_SEARCH.sort,
  };
}

/** Write the values that differ from the defaults. */
export function writeSearch(search: BoatSearch): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, name] of Object.entries(PARAMETER_NAMES) as [keyof BoatSearch, string][]) {
    if (search[key] !== DEFAULT_SEARCH[key]) params.set(name, String(search[key]));
  }
  return params;
}
