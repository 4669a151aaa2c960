import { isDay } from '../../features/calendar';
import { createChoiceReader, type ParameterNames, type Readers } from '../../lib/router/useUrlState';
import { BOAT_TYPES, OWNER_TYPES } from './boat';
import { CAPACITIES, type Filters, LENGTHS, NO_FILTERS, type Sort, SORTS } from './filters';

/** The filters and the order of the list of boats. */
export interface BoatSearch extends Filters {
  sort: Sort;
}

export const PARAMETER_NAMES: ParameterNames<BoatSearch> = {
  search: 'q',
  ownerType: 'owner',
  minPrice: 'min',
  maxPrice: 'max',
  minLength: 'length',
  minCapacity: 'capacity',
};

/** Return whether a text is a price in whole dollars (spec section 5). */
export function isPrice(text: string): boolean {
  return /^\d{1,6}$/.test(text);
}

function readDay(text: string): string {
  return isDay(text) ? text : '';
}

function createMinimumReader(choices: readonly number[]) {
  return (text: string) => choices.find((choice) => String(choice) === text) ?? 0;
}

/**
 * Return the readers of the search, which ignore invalid values.
 *
 * @param locations the ids of the valid locations
 */
export function createReaders(locations: readonly string[]): Readers<BoatSearch> {
  return {
    search: (text) => text,
    location: createChoiceReader(locations),
    from: readDay,
    to: readDay,
    type: createChoiceReader(BOAT_TYPES),
    ownerType: createChoiceReader(OWNER_TYPES),
    minPrice: (text) => (isPrice(text) ? Number(text) : NO_FILTERS.minPrice),
    maxPrice: (text) => (isPrice(text) ? Number(text) : NO_FILTERS.maxPrice),
    minLength: createMinimumReader(LENGTHS),
    minCapacity: createMinimumReader(CAPACITIES),
    sort: (text) => createChoiceReader(SORTS)(text) || 'recommended',
  };
}
