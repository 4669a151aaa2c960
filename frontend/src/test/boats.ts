import boatSailboat1 from '@media/boat-sailboat-1.avif?picture';
import { type Boat, BOAT_TYPES, OWNER_TYPES } from '../pages/marketplace/boat';

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

/** Return varied boats of every type, size and price. */
export function manyBoats(count: number): readonly Boat[] {
  return Array.from({ length: count }, (_, index) =>
    testBoat({
      id: `boat-${index}`,
      name: `${['Bora', 'Vitr', 'Élan', 'Nordlys', 'Kormorán'][index % 5] ?? ''} ${index}`,
      type: BOAT_TYPES[index % BOAT_TYPES.length] ?? 'yacht',
      ownerType: OWNER_TYPES[index % OWNER_TYPES.length] ?? 'charter',
      ownerName: `Owner ${index % 700}`,
      locationId: `port-${index % 50}-${index % 9}`,
      location: `Port ${index % 50}, Country ${index % 9}`,
      pricePerDay: (index * 37) % 1000,
      length: 20 + (index % 60),
      capacity: 2 + (index % 12),
      rating: 3 + (index % 20) / 10,
      reviewCount: index % 300,
      available: index % 10 !== 0,
    }),
  );
}
