import boatSailboat1 from '@media/boat-sailboat-1.avif?picture';
import type { Boat } from '../pages/marketplace/boat';

/** Return a boat with defaults for everything but the id. */
export function testBoat(boat: Partial<Boat> & Pick<Boat, 'id'>): Boat {
  return {
    name: boat.id,
    type: 'sailboat',
    ownerType: 'individual',
    ownerName: 'Olga',
    locationId: 'brest',
    location: 'Brest, France',
    pricePerDay: 200,
    length: 36,
    capacity: 6,
    rating: 4.5,
    reviewCount: 10,
    images: [{ ...boatSailboat1, alt: 'A boat' }],
    description: 'She sails.',
    amenities: ['Anchor'],
    available: true,
    booked: [],
    ...boat,
  };
}
