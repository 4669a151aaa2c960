import type { PictureFiles } from '../../ui/Picture';
import type { Period } from './period';

export const BOAT_TYPES = ['sailboat', 'catamaran', 'yacht', 'motorboat'] as const;
export type BoatType = (typeof BOAT_TYPES)[number];

export const OWNER_TYPES = ['individual', 'charter'] as const;
export type OwnerType = (typeof OWNER_TYPES)[number];

export interface BoatImage {
  files: PictureFiles;
  /** What it shows, in the language of the page. */
  alt: string;
}

/** A boat for rent (spec section 3, Boat listing), and the periods that others have booked. */
export interface Boat {
  id: string;
  name: string;
  type: BoatType;
  ownerType: OwnerType;
  ownerName: string;
  location: string;
  /** In US dollars. */
  pricePerDay: number;
  /** In feet. */
  length: number;
  /** In people. */
  capacity: number;
  /** Of 5. */
  rating: number;
  reviewCount: number;
  /** At least one; the first stands for the boat. */
  images: readonly [BoatImage, ...BoatImage[]];
  description: string;
  amenities: readonly string[];
  /** Whether it is for rent at all at present. */
  available: boolean;
  booked: readonly Period[];
}
