import { Flag, type IconNode, Phone, User } from 'lucide';
import type { HTMLInputAutoCompleteAttribute } from 'react';

import type { MessageId } from '../../i18n/catalogues';

interface OptionalField {
  labelId: MessageId;
  /** The most characters that accounts/models.py stores. */
  limit: number;
  autoComplete: HTMLInputAutoCompleteAttribute;
  type?: 'tel';
  /** The icon in the read view. */
  icon: IconNode;
}

export type OptionalFieldName = 'nickname' | 'nationality' | 'phone';

/** The optional fields of the profile, in the order of the form. */
export const OPTIONAL_FIELDS: Readonly<Record<OptionalFieldName, OptionalField>> = {
  nickname: { labelId: 'profile.nickname', limit: 150, autoComplete: 'nickname', icon: User },
  nationality: { labelId: 'profile.nationality', limit: 150, autoComplete: 'off', icon: Flag },
  phone: { labelId: 'profile.phone', limit: 32, autoComplete: 'tel', type: 'tel', icon: Phone },
};

export const OPTIONAL_FIELD_NAMES = Object.keys(OPTIONAL_FIELDS) as OptionalFieldName[];

/** The optional fields of the read view, in its order (spec section 2, Profile). */
export const FACTS: readonly OptionalFieldName[] = ['phone', 'nationality'];
