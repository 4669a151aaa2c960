import type { Day } from '../../calendar/day';
import type { Boat, BoatType, OwnerType } from './boat';
import { type AskedPeriod, overlap, periodOf } from './period';
import { fold, searchable } from './search';

/** The choices of 'at least so long', in feet, and 'for at least so many people' (spec section 9). */
export const LENGTHS = [25, 30, 35, 40, 50] as const;
export const CAPACITIES = [4, 6, 8, 10, 12] as const;

/** Prices a day that a blank bound stands for, in US dollars (spec sections 5 and 9). */
export const LOWEST_PRICE = 0;
export const HIGHEST_PRICE = 1000;

/** What the visitor is looking for; an empty text and a least of 0 leave everything in. */
export interface Filters extends AskedPeriod {
  search: string;
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
  minPrice: LOWEST_PRICE,
  maxPrice: HIGHEST_PRICE,
  minLength: 0,
  minCapacity: 0,
};

/** A boat and the text that a search looks through, made once. */
export interface Entry {
  boat: Boat;
  text: string;
}

/** Makes boats ready to be searched by name, location and owner (spec section 5). */
export function indexOf(boats: readonly Boat[]): readonly Entry[] {
  return boats.map((boat) => ({ boat, text: searchable(boat.name, boat.location, boat.ownerName) }));
}

/**
 * The boats that fit every filter, in their own order.
 *
 * With a rental period asked for, only those that can be had on each of its days; a period with a problem
 * (see `periodProblem`) asks for nothing.
 */
export function findBoats(entries: readonly Entry[], filters: Filters, today: Day): Boat[] {
  const words = fold(filters.search);
  const period = periodOf(filters, today);
  const fits = ({ boat, text }: Entry) =>
    text.includes(words) &&
    (!filters.location || boat.location === filters.location) &&
    (!filters.type || boat.type === filters.type) &&
    (!filters.ownerType || boat.ownerType === filters.ownerType) &&
    boat.pricePerDay >= filters.minPrice &&
    boat.pricePerDay <= filters.maxPrice &&
    boat.length >= filters.minLength &&
    boat.capacity >= filters.minCapacity &&
    (!period || (boat.available && !boat.booked.some((booked) => overlap(booked, period))));
  return entries.filter(fits).map(({ boat }) => boat);
}

/** How many questions of the filter panel are answered; the two ends of a range are one question. */
export function countChosen(filters: Filters): number {
  const { location, from, to, type, ownerType, minPrice, maxPrice, minLength, minCapacity } = filters;
  const hasPrice = minPrice !== LOWEST_PRICE || maxPrice !== HIGHEST_PRICE;
  return [location, from || to, type, ownerType, hasPrice, minLength, minCapacity].filter(Boolean).length;
}

/** Where the boats lie: each place once, as a reader of the locale looks for it. */
export function locationsOf(boats: readonly Boat[], locale: string): string[] {
  const { compare } = new Intl.Collator(locale);
  return [...new Set(boats.map(({ location }) => location))].sort(compare);
}
