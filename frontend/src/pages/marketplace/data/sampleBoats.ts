import { addDays, type Day } from '../../../features/calendar/day';
import { addMonths, getFirstDay, getMonth } from '../../../features/calendar/month';
import type { MessageId } from '../../../i18n/catalogues';
import boatCatamaran1 from '@media/boat-catamaran-1.avif?picture';
import boatCatamaran2 from '@media/boat-catamaran-2.avif?picture';
import boatMotorboat1 from '@media/boat-motorboat-1.avif?picture';
import boatMotoryacht1 from '@media/boat-motoryacht-1.avif?picture';
import boatMotoryacht2 from '@media/boat-motoryacht-2.avif?picture';
import boatSailboat1 from '@media/boat-sailboat-1.avif?picture';
import boatSailboat2 from '@media/boat-sailboat-2.avif?picture';
import boatSailboat3 from '@media/boat-sailboat-3.avif?picture';
import boatSailboat4 from '@media/boat-sailboat-4.avif?picture';
import boatSailboat5 from '@media/boat-sailboat-5.avif?picture';
import boatSailboat6 from '@media/boat-sailboat-6.avif?picture';
import boatSailboat7 from '@media/boat-sailboat-7.avif?picture';
import courseDocking from '@media/course-docking.avif?picture';
import courseNavigation from '@media/course-navigation.avif?picture';
import courseRacing from '@media/course-racing.avif?picture';
import heroCompanies from '@media/hero-companies.avif?picture';
import heroSailors from '@media/hero-sailors.avif?picture';
import type { Boat, BoatType, Period } from '../boat';

const IMAGES = {
  sloop: { files: boatSailboat1, alt: 'marketplace.sloopPicture' },
  catamaran: { files: boatCatamaran1, alt: 'marketplace.catamaranPicture' },
  classic: { files: boatSailboat2, alt: 'marketplace.classicPicture' },
  darkYacht: { files: boatMotoryacht2, alt: 'marketplace.darkYachtPicture' },
  motorboat: { files: boatMotorboat1, alt: 'marketplace.motorboatPicture' },
  gennaker: { files: boatSailboat3, alt: 'marketplace.gennakerPicture' },
  lake: { files: boatSailboat4, alt: 'marketplace.lakePicture' },
  racer: { files: boatSailboat5, alt: 'marketplace.racerPicture' },
  bay: { files: boatCatamaran2, alt: 'marketplace.bayPicture' },
  flybridge: { files: boatMotoryacht1, alt: 'marketplace.flybridgePicture' },
  dawn: { files: boatSailboat7, alt: 'marketplace.dawnPicture' },
  pontoon: { files: courseDocking, alt: 'pictures.pontoon' },
  reefed: { files: boatSailboat6, alt: 'pictures.storm' },
  regatta: { files: heroSailors, alt: 'pictures.regatta' },
  race: { files: courseRacing, alt: 'pictures.race' },
  marina: { files: heroCompanies, alt: 'marketplace.marinaPicture' },
  chart: { files: courseNavigation, alt: 'pictures.chart' },
} as const;

type ImageName = keyof typeof IMAGES;

/** Pictures in a gallery. */
const GALLERY_SIZE = 3;

/** What fills the gallery of a boat beside her own pictures: her kind, her berth and her waters. */
const SURROUNDINGS: Record<BoatType, readonly ImageName[]> = {
  sailboat: ['dawn', 'pontoon', 'chart'],
  catamaran: ['catamaran', 'bay', 'marina'],
  yacht: ['marina', 'bay'],
  motorboat: ['marina', 'chart'],
};

/**
 * Return the sample boats.
 *
 * @param today the day of the visit; bookings are relative to its month
 * @param translate return a message in the language of the page
 */
export function createSampleBoats(today: Day, translate: (id: MessageId) => string): readonly Boat[] {
  const image = (name: ImageName) => ({ ...IMAGES[name].files, alt: translate(IMAGES[name].alt) });

  const booked = (monthsLater: number, first: number, last: number): Period => {
    const firstOfMonth = getFirstDay(addMonths(getMonth(today), monthsLater));
    return { from: addDays(firstOfMonth, first - 1), to: addDays(firstOfMonth, last - 1) };
  };

  function withGallery(boat: Boat): Boat {
    const [first, ...others] = boat.images;
    const surroundings = SURROUNDINGS[boat.type]
      .map(image)
      .filter(({ webp }) => boat.images.every((own) => own.webp !== webp));
    return { ...boat, images: [first, ...[...others, ...surroundings].slice(0, GALLERY_SIZE - 1)] };
  }

  const boats: Boat[] = [
    {
      id: 'bora',
      name: 'Bora',
      type: 'sailboat',
      ownerType: 'charter',
      ownerName: 'Adriatic Blue Charter',
      locationId: 'split',
      location: translate('places.split'),
      pricePerDay: 245,
      length: 40,
      capacity: 8,
      rating: 4.8,
      reviewCount: 126,
      images: [image('sloop'), image('marina')],
      description: translate('sampleBoats.boraText'),
      amenities: [
        translate('sampleBoats.autopilot'),
        translate('sampleBoats.chartPlotter'),
        translate('sampleBoats.bimini'),
        translate('sampleBoats.dinghy'),
        translate('sampleBoats.shower'),
      ],
      available: true,
      booked: [booked(0, 20, 27), booked(1, 4, 11), booked(2, 15, 22)],
    },
    {
      id: 'thalassa',
      name: 'Thalassa',
      type: 'catamaran',
      ownerType: 'charter',
      ownerName: 'Ionian Sail Company',
      locationId: 'lefkada',
      location: translate('places.lefkada'),
      pricePerDay: 640,
      length: 50,
      capacity: 12,
      rating: 4.9,
      reviewCount: 142,
      images: [image('bay')],
      description: translate('sampleBoats.thalassaText'),
      amenities: [
        translate('sampleBoats.watermaker'),
        translate('sampleBoats.solarPanels'),
        translate('sampleBoats.generator'),
        translate('sampleBoats.airConditioning'),
        translate('sampleBoats.paddleboards'),
        translate('sampleBoats.skipperOnRequest'),
      ],
      available: true,
      booked: [booked(0, 8, 15), booked(1, 18, 25)],
    },
    {
      id: 'clementine',
      name: 'Clementine',
      type: 'sailboat',
      ownerType: 'individual',
      ownerName: 'Thomas Whitfield',
      locationId: 'cowes',
      location: translate('places.cowes'),
      pricePerDay: 180,
      length: 34,
      capacity: 4,
      rating: 4.7,
      reviewCount: 41,
      images: [image('classic')],
      description: translate('sampleBoats.clementineText'),
      amenities: [
        translate('sampleBoats.teakDeck'),
        translate('sampleBoats.woodStove'),
        translate('sampleBoats.spinnaker'),
        translate('sampleBoats.radio'),
      ],
      available: true,
      booked: [booked(0, 12, 14), booked(2, 1, 7)],
    },
    {
      id: 'blue-hour',
      name: 'Blue Hour',
      type: 'yacht',
      ownerType: 'charter',
      ownerName: 'Riviera Yacht House',
      locationId: 'antibes',
      location: translate('places.antibes'),
      pricePerDay: 980,
      length: 72,
      capacity: 12,
      rating: 5,
      reviewCount: 23,
      images: [image('darkYacht')],
      description: translate('sampleBoats.blueHourText'),
      amenities: [
        translate('sampleBoats.crewOfThree'),
        translate('sampleBoats.jetSki'),
        translate('sampleBoats.stabilizers'),
        translate('sampleBoats.airConditioning'),
        translate('sampleBoats.wifi'),
        translate('sampleBoats.sunDeck'),
      ],
      available: true,
      booked: [booked(0, 1, 9), booked(1, 10, 20)],
    },
    {
      id: 'petrel',
      name: 'Petrel',
      type: 'motorboat',
      ownerType: 'individual',
      ownerName: 'Søren Lindqvist',
      locationId: 'gothenburg',
      location: translate('places.gothenburg'),
      pricePerDay: 95,
      length: 24,
      capacity: 6,
      rating: 4.5,
      reviewCount: 64,
      images: [image('motorboat')],
      description: translate('sampleBoats.petrelText'),
      amenities: [
        translate('sampleBoats.swimLadder'),
        translate('sampleBoats.chartPlotter'),
        translate('sampleBoats.coolBox'),
        translate('sampleBoats.lifeJackets'),
      ],
      available: true,
      booked: [booked(0, 24, 25)],
    },
    {
      id: 'nordlys',
      name: 'Nordlys',
      type: 'sailboat',
      ownerType: 'individual',
      ownerName: 'Ingrid Solberg',
      locationId: 'bergen',
      location: translate('places.bergen'),
      pricePerDay: 210,
      length: 38,
      capacity: 6,
      rating: 4.6,
      reviewCount: 35,
      images: [image('gennaker')],
      description: translate('sampleBoats.nordlysText'),
      amenities: [
        translate('sampleBoats.gennaker'),
        translate('sampleBoats.dieselHeater'),
        translate('sampleBoats.autopilot'),
        translate('sampleBoats.radar'),
      ],
      available: false,
      booked: [],
    },
    {
      id: 'levante',
      name: 'Levante',
      type: 'yacht',
      ownerType: 'charter',
      ownerName: 'Costa Charter Palma',
      locationId: 'palma',
      location: translate('places.palma'),
      pricePerDay: 760,
      length: 56,
      capacity: 10,
      rating: 4.6,
      reviewCount: 57,
      images: [image('flybridge')],
      description: translate('sampleBoats.levanteText'),
      amenities: [
        translate('sampleBoats.flybridge'),
        translate('sampleBoats.tender'),
        translate('sampleBoats.wakeboard'),
        translate('sampleBoats.airConditioning'),
        translate('sampleBoats.skipperIncluded'),
      ],
      available: true,
      booked: [booked(1, 1, 6), booked(1, 22, 29)],
    },
    {
      id: 'maestral',
      name: 'Maestral',
      type: 'catamaran',
      ownerType: 'charter',
      ownerName: 'Kornati Catamarans',
      locationId: 'sibenik',
      location: translate('places.sibenik'),
      pricePerDay: 520,
      length: 42,
      capacity: 10,
      rating: 4.9,
      reviewCount: 88,
      images: [image('catamaran')],
      description: translate('sampleBoats.maestralText'),
      amenities: [
        translate('sampleBoats.electricWinch'),
        translate('sampleBoats.solarPanels'),
        translate('sampleBoats.dinghy'),
        translate('sampleBoats.snorkeling'),
        translate('sampleBoats.gasGrill'),
      ],
      available: true,
      booked: [booked(0, 16, 23), booked(2, 6, 13)],
    },
    {
      id: 'aurora',
      name: 'Aurora',
      type: 'sailboat',
      ownerType: 'individual',
      ownerName: 'João Marques',
      locationId: 'lagos',
      location: translate('places.lagos'),
      pricePerDay: 230,
      length: 45,
      capacity: 8,
      rating: 4.8,
      reviewCount: 73,
      images: [image('dawn')],
      description: translate('sampleBoats.auroraText'),
      amenities: [
        translate('sampleBoats.windVane'),
        translate('sampleBoats.watermaker'),
        translate('sampleBoats.ais'),
        translate('sampleBoats.lifeRaft'),
        translate('sampleBoats.propeller'),
      ],
      available: true,
      booked: [booked(1, 12, 19)],
    },
    {
      id: 'kormoran',
      name: 'Kormorán',
      type: 'sailboat',
      ownerType: 'individual',
      ownerName: 'Petr Dvořák',
      locationId: 'lipno',
      location: translate('places.lipno'),
      pricePerDay: 60,
      length: 26,
      capacity: 4,
      rating: 4.4,
      reviewCount: 19,
      images: [image('lake'), image('pontoon')],
      description: translate('sampleBoats.kormoranText'),
      amenities: [
        translate('sampleBoats.liftingKeel'),
        translate('sampleBoats.electricOutboard'),
        translate('sampleBoats.cockpitTent'),
        translate('sampleBoats.lifeJackets'),
      ],
      available: true,
      booked: [booked(0, 4, 6), booked(1, 8, 9)],
    },
    {
      id: 'fulmar',
      name: 'Fulmar',
      type: 'sailboat',
      ownerType: 'charter',
      ownerName: 'Hebrides Sailing',
      locationId: 'oban',
      location: translate('places.oban'),
      pricePerDay: 190,
      length: 36,
      capacity: 6,
      rating: 4.7,
      reviewCount: 52,
      images: [image('reefed')],
      description: translate('sampleBoats.fulmarText'),
      amenities: [
        translate('sampleBoats.stormJib'),
        translate('sampleBoats.radar'),
        translate('sampleBoats.cabinHeating'),
        translate('sampleBoats.oilskins'),
        translate('sampleBoats.whiskyGlasses'),
      ],
      available: false,
      booked: [],
    },
    {
      id: 'red-rail',
      name: 'Red Rail',
      type: 'sailboat',
      ownerType: 'charter',
      ownerName: 'Kieler Regatta Werft',
      locationId: 'kiel',
      location: translate('places.kiel'),
      pricePerDay: 310,
      length: 41,
      capacity: 10,
      rating: 4.9,
      reviewCount: 31,
      images: [image('racer'), image('regatta'), image('race')],
      description: translate('sampleBoats.redRailText'),
      amenities: [
        translate('sampleBoats.raceSails'),
        translate('sampleBoats.spinnaker'),
        translate('sampleBoats.windInstruments'),
        translate('sampleBoats.coach'),
      ],
      available: true,
      booked: [booked(0, 18, 22), booked(1, 26, 30)],
    },
  ];
  return boats.map(withGallery);
}
