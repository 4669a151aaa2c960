import { createContext } from 'react';

import { definePart } from '../lazy/part';
import type { DisclosureControl } from './Disclosure';

/** The optional props of a signed-in member's bar. */
export interface MemberBar {
  /** The count of unread notifications; that of the sample data when left out. */
  unread?: number | undefined;
  phoneMenu?: DisclosureControl | undefined;
}

export const MemberBarContext = createContext<MemberBar>({});

/** The member's part of the bar, which visitors never load. */
export const memberControls = definePart(async () => {
  const module = await import(/* webpackChunkName: "part-member-controls" */ './MemberControls');
  return module.MemberControls;
}, 'memberBar');
