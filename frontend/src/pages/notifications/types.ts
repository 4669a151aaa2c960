import {
  Anchor,
  Bell,
  CalendarDays,
  Flag,
  Heart,
  type IconNode,
  MessageCircle,
  Sailboat,
  UserPlus,
} from 'lucide';

import type { MessageId } from '../../i18n/catalogues';
import type { Notification } from '../../notifications/notification';

type Type = Notification['type'];

/** What the types are called on the screen, and the sign of each; their colours stand in the style sheet. */

export const TYPE_LABELS: Record<Type, MessageId> = {
  like: 'notifications.like',
  comment: 'notifications.comment',
  follow: 'notifications.follow',
  event: 'notifications.event',
  race: 'notifications.race',
  marketplace: 'notifications.marketplace',
  system: 'notifications.system',
  other: 'notifications.other',
};

export const TYPE_ICONS: Record<Type, IconNode> = {
  like: Heart,
  comment: MessageCircle,
  follow: UserPlus,
  event: CalendarDays,
  race: Flag,
  marketplace: Sailboat,
  system: Anchor,
  other: Bell,
};
