import { createContext, createElement } from 'react';

import { documentLanguage, loadCatalogue } from '../i18n/catalogues';
import { MoreMessages } from '../i18n/MoreMessages';
import { lazyWithPreload } from '../lazy/lazyWithPreload';
import type { DisclosureControl } from './Disclosure';

/** What the page may say about the bar of a signed-in member. */
export interface MemberBar {
  /** The number of unread notifications; the default is that of the sample data. */
  unread?: number | undefined;
  phoneMenu?: DisclosureControl | undefined;
}

export const MemberBarContext = createContext<MemberBar>({});

/** The member's part of the bar with its messages. Visitors do not load it. */
export const LazyMemberControls = lazyWithPreload(async () => {
  const [{ MemberControls }] = await Promise.all([
    import(/* webpackChunkName: "member-controls" */ './MemberControls'),
    loadCatalogue('app', documentLanguage()),
  ]);
  return () => createElement(MoreMessages, { of: 'app' }, createElement(MemberControls));
}, 'optional');
