import { createContext, createElement } from 'react';

import { documentLanguage, loadCatalogue } from '../i18n/catalogues';
import { MoreMessages } from '../i18n/MoreMessages';
import { lazyWithPreload } from '../lazy/lazyWithPreload';
import type { DisclosureControl } from './Disclosure';

/** The optional props of a signed-in member's bar. */
export interface MemberBar {
  /** The count of unread notifications; that of the sample data when left out. */
  unread?: number | undefined;
  phoneMenu?: DisclosureControl | undefined;
}

export const MemberBarContext = createContext<MemberBar>({});

/** The member's part of the bar with its messages, which visitors never load. */
export const LazyMemberControls = lazyWithPreload(async () => {
  const [{ MemberControls }] = await Promise.all([
    import(/* webpackChunkName: "member-controls" */ './MemberControls'),
    loadCatalogue('app', documentLanguage()),
  ]);
  return { default: () => createElement(MoreMessages, { of: 'app' }, createElement(MemberControls)) };
}, 'optional');
