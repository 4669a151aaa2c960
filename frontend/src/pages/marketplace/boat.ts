import type { Day } from '../../features/calendar';
import type { MessageId } from '../../i18n/catalogues';
import type { DescribedPicture } from '../../ui/Picture';

export const BOAT_TYPES = ['sailboat', 'catamaran', 'yacht', 'motorboat'] as const;
export type BoatType = (typeof BOAT_TYPES)[number];

export const OWNER_TYPES = ['individual', 'charter'] as const;
export type OwnerType = (typeof OWNER_TYPES)[number];

export const TYPE_LABELS: Record<BoatType, MessageId> = {
  sailboat: 'marketplace.sailboat',
  catamaran: 'marketplace.catamaran',
  yacht: 'marketplace.yacht',
  motorboat: 'marketplace.motorboat',
};

export const OWNER_LABELS: Record<OwnerType, MessageId> = {
  individual: 'marketplace.individual',
  charter: 'marketplace.charter',
};

/** A range of days, both ends included. */
export interface Period {
  from: Day;
  to: Day;
}

/** A boat for rent (spec section 3, Boat listing). */
export interface Boat {
  id: string;
  name: string;
  type: BoatType;
  ownerType: OwnerType;
  ownerName: string;
  /** The same in every language. */
  locationId: string;
  location: string;
  /** In US dollars. */
  pricePerDay: number;
  /** In feet. */
  length: number;
  /** In people. */
  capacity: number;
  /** From 0 to 5. */
  rating: number;
  reviewCount: number;
  /** The first is shown in the list. */
  images: readonly [DescribedPicture, ...DescribedPicture[]];
  description: string;
  amenities: readonly string[];
  /** Whether the boat is for rent at all. */
  available: boolean;
  /** Periods that are already booked. */
  booked: readonly Period[];
}
