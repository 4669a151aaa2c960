import type { MessageId } from '../../i18n/catalogues';

/** What a sailor says about us (spec section 3, Landing testimonial). The avatar is drawn from the name. */
interface Testimonial {
  name: string;
  handle: string;
  role: MessageId;
  nationality: MessageId;
  text: MessageId;
}

/** Sample data with invented people. Names and handles are the same in every language. */
export const TESTIMONIALS: readonly Testimonial[] = [
  {
    name: 'Marina Kovač',
    handle: '@marinakovac',
    role: 'landingBelow.skipper',
    nationality: 'landingBelow.croatian',
    text: 'landingBelow.skipperText',
  },
  {
    name: 'Tomáš Říha',
    handle: '@riha.bow',
    role: 'landingBelow.bowman',
    nationality: 'landingBelow.czech',
    text: 'landingBelow.bowmanText',
  },
  {
    name: 'Ingrid Solheim',
    handle: '@ingridsolheim',
    role: 'landingBelow.owner',
    nationality: 'landingBelow.norwegian',
    text: 'landingBelow.ownerText',
  },
];
