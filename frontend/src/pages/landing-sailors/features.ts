import { BadgeCheck, GraduationCap, Handshake, type IconNode, IdCard, NotebookPen, Trophy } from 'lucide';

import type { MessageId } from '../../i18n/catalogues';
import boatCatamaran2 from '@media/boat-catamaran-2.avif?picture';
import boatSailboat2 from '@media/boat-sailboat-2.avif?picture';
import courseBasics from '@media/course-basics.avif?picture';
import courseDocking from '@media/course-docking.avif?picture';
import courseNavigation from '@media/course-navigation.avif?picture';
import courseRacing from '@media/course-racing.avif?picture';
import type { PictureFiles } from '../../ui/Picture';

export interface Feature {
  icon: IconNode;
  picture: PictureFiles;
  alt: MessageId;
  title: MessageId;
  text: MessageId;
}

/** The features in order (spec section 2, Landing for sailors). */
export const FEATURES: readonly Feature[] = [
  {
    icon: NotebookPen,
    picture: courseNavigation,
    alt: 'landingSailorsBelow.logbookPicture',
    title: 'landingSailorsBelow.logbook',
    text: 'landingSailorsBelow.logbookText',
  },
  {
    icon: IdCard,
    picture: boatSailboat2,
    alt: 'landingSailorsBelow.profilePicture',
    title: 'landingSailorsBelow.profile',
    text: 'landingSailorsBelow.profileText',
  },
  {
    icon: GraduationCap,
    picture: courseBasics,
    alt: 'landingSailorsBelow.trainingPicture',
    title: 'landingSailorsBelow.training',
    text: 'landingSailorsBelow.trainingText',
  },
  {
    icon: BadgeCheck,
    picture: boatCatamaran2,
    alt: 'landingSailorsBelow.boatsPicture',
    title: 'landingSailorsBelow.boats',
    text: 'landingSailorsBelow.boatsText',
  },
  {
    icon: Handshake,
    picture: courseDocking,
    alt: 'landingSailorsBelow.crewPicture',
    title: 'landingSailorsBelow.crew',
    text: 'landingSailorsBelow.crewText',
  },
  {
    icon: Trophy,
    picture: courseRacing,
    alt: 'landingSailorsBelow.racingPicture',
    title: 'landingSailorsBelow.racing',
    text: 'landingSailorsBelow.racingText',
  },
];
