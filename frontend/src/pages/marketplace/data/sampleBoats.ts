import { addDays, type Day } from '../../../calendar/day';
import { addMonths, firstDayOf, monthOf } from '../../../calendar/month';
import type { MessageId } from '../../../i18n/catalogues';
import { boatCatamaran1 } from '../../../pictures/boat-catamaran-1';
import { boatCatamaran2 } from '../../../pictures/boat-catamaran-2';
import { boatMotorboat1 } from '../../../pictures/boat-motorboat-1';
import { boatMotoryacht1 } from '../../../pictures/boat-motoryacht-1';
import { boatMotoryacht2 } from '../../../pictures/boat-motoryacht-2';
import { boatSailboat1 } from '../../../pictures/boat-sailboat-1';
import { boatSailboat2 } from '../../../pictures/boat-sailboat-2';
import { boatSailboat3 } from '../../../pictures/boat-sailboat-3';
import { courseDocking } from '../../../pictures/course-docking';
import { courseRacing } from '../../../pictures/course-racing';
import { courseWeather } from '../../../pictures/course-weather';
import { heroCompanies } from '../../../pictures/hero-companies';
import { heroLanding } from '../../../pictures/hero-landing';
import { heroSailors } from '../../../pictures/hero-sailors';
import type { Boat } from '../boat';
import type { Period } from '../period';

const IMAGES = {
  sloop: { files: boatSailboat1, alt: 'marketplace.sloopPicture' },
  catamaran: { files: boatCatamaran1, alt: 'marketplace.catamaranPicture' },
  classic: { files: boatSailboat2, alt: 'marketplace.classicPicture' },
  darkYacht: { files: boatMotoryacht2, alt: 'marketplace.darkYachtPicture' },
  motorboat: { files: boatMotorboat1, alt: 'marketplace.motorboatPicture' },
  gennaker: { files: boatSailboat3, alt: 'marketplace.gennakerPicture' },
  bay: { files: boatCatamaran2, alt: 'marketplace.bayPicture' },
  flybridge: { files: boatMotoryacht1, alt: 'marketplace.flybridgePicture' },
  dawn: { files: heroLanding, alt: 'marketplace.dawnPicture' },
  pontoon: { files: courseDocking, alt: 'marketplace.pontoonPicture' },
  reefed: { files: courseWeather, alt: 'marketplace.reefedPicture' },
  regatta: { files: heroSailors, alt: 'marketplace.regattaPicture' },
  race: { files: courseRacing, alt: 'marketplace.racePicture' },
  marina: { files: heroCompanies, alt: 'marketplace.marinaPicture' },
} as const;

/**
 * Return the sample boats.
 *
 * @param today the day of the visit; bookings are relative to its month
 * @param translate return a message in the language of the page
 */
export function sampleBoats(today: Day, translate: (id: MessageId) => string): readonly Boat[] {
  const image = (name: keyof typeof IMAGES) => ({ ...IMAGES[name].files, alt: translate(IMAGES[name].alt) });

  const booked = (monthsLater: number, first: number, last: number): Period => {
    const firstOfMonth = firstDayOf(addMonths(monthOf(today), monthsLater));
    return { from: addDays(firstOfMonth, first - 1), to: addDays(firstOfMonth, last - 1) };
  };

  return [
    {
      id: 'bora',
      name: 'Bora',
      type: 'sailboat',
      ownerType: 'charter',
      ownerName: 'Adriatic Blue Charter',
      location: 'Split, Croatia',
      pricePerDay: 245,
      length: 40,
      capacity: 8,
      rating: 4.8,
      reviewCount: 126,
      images: [image('sloop'), image('marina')],
      description:
        'A quick, forgiving cruiser for a week among the Dalmatian islands. She points well, reefs from the cockpit, and three double cabins leave room for a crew that does not travel light.',
      amenities: ['Autopilot', 'Chart plotter', 'Bimini', 'Dinghy with outboard', 'Outdoor shower'],
      available: true,
      booked: [booked(0, 20, 27), booked(1, 4, 11), booked(2, 15, 22)],
    },
    {
      id: 'thalassa',
      name: 'Thalassa',
      type: 'catamaran',
      ownerType: 'charter',
      ownerName: 'Ionian Sail Company',
      location: 'Lefkada, Greece',
      pricePerDay: 640,
      length: 50,
      capacity: 12,
      rating: 4.9,
      reviewCount: 142,
      images: [image('bay')],
      description:
        'Six cabins, two wide hulls and a flybridge from which the whole bay is yours. Built for big families and long anchorages: the watermaker and the solar panels keep her away from port for days.',
      amenities: [
        'Watermaker',
        'Solar panels',
        'Generator',
        'Air conditioning',
        'Two paddleboards',
        'Skipper on request',
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
      location: 'Cowes, United Kingdom',
      pricePerDay: 180,
      length: 34,
      capacity: 4,
      rating: 4.7,
      reviewCount: 41,
      images: [image('classic')],
      description:
        'Mahogany on oak, launched in 1961 and varnished every spring since. She asks for a light hand on the tiller and pays it back with the prettiest evening on the Solent.',
      amenities: ['Teak deck', 'Wood stove', 'Spinnaker', 'VHF radio'],
      available: true,
      booked: [booked(0, 12, 14), booked(2, 1, 7)],
    },
    {
      id: 'blue-hour',
      name: 'Blue Hour',
      type: 'yacht',
      ownerType: 'charter',
      ownerName: 'Riviera Yacht House',
      location: 'Antibes, France',
      pricePerDay: 980,
      length: 72,
      capacity: 12,
      rating: 5,
      reviewCount: 23,
      images: [image('darkYacht')],
      description:
        'Dark hull, warm light, a crew of three. Cannes before lunch, the Lérins for a swim, and dinner on the aft deck while the coast lights up.',
      amenities: ['Crew of three', 'Jet ski', 'Stabilisers', 'Air conditioning', 'Wi-Fi', 'Sun deck'],
      available: true,
      booked: [booked(0, 1, 9), booked(1, 10, 20)],
    },
    {
      id: 'petrel',
      name: 'Petrel',
      type: 'motorboat',
      ownerType: 'individual',
      ownerName: 'Søren Lindqvist',
      location: 'Gothenburg, Sweden',
      pricePerDay: 95,
      length: 24,
      capacity: 6,
      rating: 4.5,
      reviewCount: 64,
      images: [image('motorboat')],
      description:
        'A day boat for the archipelago: twenty knots to the outer skerries, a ladder for the swim, a picnic table for the shrimp. No licence needed for a day trip in home waters.',
      amenities: ['Swim ladder', 'Chart plotter', 'Cool box', 'Life jackets in all sizes'],
      available: true,
      booked: [booked(0, 24, 25)],
    },
    {
      id: 'nordlys',
      name: 'Nordlys',
      type: 'sailboat',
      ownerType: 'individual',
      ownerName: 'Ingrid Solberg',
      location: 'Bergen, Norway',
      pricePerDay: 210,
      length: 38,
      capacity: 6,
      rating: 4.6,
      reviewCount: 35,
      images: [image('gennaker')],
      description:
        'Half racer, half home. Her red and white gennaker is known from Bergen to Stavanger, and the diesel heater makes April a sailing month.',
      amenities: ['Gennaker', 'Diesel heater', 'Autopilot', 'Radar'],
      available: false,
      booked: [],
    },
    {
      id: 'levante',
      name: 'Levante',
      type: 'yacht',
      ownerType: 'charter',
      ownerName: 'Costa Charter Palma',
      location: 'Palma de Mallorca, Spain',
      pricePerDay: 760,
      length: 56,
      capacity: 10,
      rating: 4.6,
      reviewCount: 57,
      images: [image('flybridge')],
      description:
        'Palma to Cabrera in under an hour, then all day to swim. A flybridge with its own galley, four cabins below, and a tender that pulls a wakeboard.',
      amenities: ['Flybridge', 'Tender', 'Wakeboard', 'Air conditioning', 'Skipper included'],
      available: true,
      booked: [booked(1, 1, 6), booked(1, 22, 29)],
    },
    {
      id: 'maestral',
      name: 'Maestral',
      type: 'catamaran',
      ownerType: 'charter',
      ownerName: 'Kornati Catamarans',
      location: 'Šibenik, Croatia',
      pricePerDay: 520,
      length: 42,
      capacity: 10,
      rating: 4.9,
      reviewCount: 88,
      images: [image('catamaran')],
      description:
        'Shallow enough for the quiet end of every Kornati bay. Four cabins, nets to lie on, and a saloon on one level with the cockpit, so that the cook misses nothing.',
      amenities: ['Electric winch', 'Solar panels', 'Dinghy with outboard', 'Snorkelling gear', 'Gas grill'],
      available: true,
      booked: [booked(0, 16, 23), booked(2, 6, 13)],
    },
    {
      id: 'aurora',
      name: 'Aurora',
      type: 'sailboat',
      ownerType: 'individual',
      ownerName: 'João Marques',
      location: 'Lagos, Portugal',
      pricePerDay: 230,
      length: 45,
      capacity: 8,
      rating: 4.8,
      reviewCount: 73,
      images: [image('dawn')],
      description:
        'A blue-water boat that has been to the Azores and back twice. João hands her over with a thermos of coffee and the tide table for the Ponta da Piedade caves.',
      amenities: ['Wind vane steering', 'Watermaker', 'AIS', 'Life raft', 'Feathering propeller'],
      available: true,
      booked: [booked(1, 12, 19)],
    },
    {
      id: 'kormoran',
      name: 'Kormorán',
      type: 'sailboat',
      ownerType: 'individual',
      ownerName: 'Petr Dvořák',
      location: 'Lipno, Czechia',
      pricePerDay: 60,
      length: 26,
      capacity: 4,
      rating: 4.4,
      reviewCount: 19,
      images: [image('pontoon')],
      description:
        'The friendliest way to learn: a lifting keel, a tiller you can reach from everywhere, and a lake that forgives. Petr shows you the ropes on the first morning, if you like.',
      amenities: ['Lifting keel', 'Electric outboard', 'Cockpit tent', 'Life jackets in all sizes'],
      available: true,
      booked: [booked(0, 4, 6), booked(1, 8, 9)],
    },
    {
      id: 'fulmar',
      name: 'Fulmar',
      type: 'sailboat',
      ownerType: 'charter',
      ownerName: 'Hebrides Sailing',
      location: 'Oban, United Kingdom',
      pricePerDay: 190,
      length: 36,
      capacity: 6,
      rating: 4.7,
      reviewCount: 52,
      images: [image('reefed')],
      description:
        'Three reefs, a deep cockpit and a hull that shrugs at the Sound of Mull. For crews who check the forecast and go anyway, properly dressed.',
      amenities: ['Storm jib', 'Radar', 'Cabin heating', 'Oilskins in all sizes', 'Whisky glasses'],
      available: false,
      booked: [],
    },
    {
      id: 'red-rail',
      name: 'Red Rail',
      type: 'sailboat',
      ownerType: 'charter',
      ownerName: 'Kieler Regatta Werft',
      location: 'Kiel, Germany',
      pricePerDay: 310,
      length: 41,
      capacity: 10,
      rating: 4.9,
      reviewCount: 31,
      images: [image('regatta'), image('race')],
      description:
        'Carbon mast, fresh sails, a rail for eight. Charter her for a race week with the sail wardrobe included, or take a coach along and find two more knots.',
      amenities: ['Race sails', 'Spinnaker', 'Wind instruments', 'Coach on request'],
      available: true,
      booked: [booked(0, 18, 22), booked(1, 26, 30)],
    },
  ];
}
