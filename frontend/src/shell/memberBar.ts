import { createContext } from 'react';

import { definePart } from '../lazy/part';
import type { DisclosureControl } from './Disclosure';

/** What the surroundings may say about the bar of a signed-in member. */
export interface MemberBar {
  /** How many notifications are unread; those of the sample when left out. */
  unread?: number | undefined;
  phoneMenu?: DisclosureControl | undefined;
}

export const MemberBarContext = createContext<MemberBar>({});

/** The member's part of the bar, with its words: a visitor's first load does without it. */
export const memberControls = definePart(async () => {
  const module = await import(/* webpackChunkName: "part-member-controls" */ './MemberControls');
  return module.MemberControls;
}, 'memberBar');
