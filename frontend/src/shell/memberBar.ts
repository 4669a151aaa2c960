import { createContext, createElement } from 'react';

import { documentLanguage, loadCatalogue } from '../i18n/catalogues';
import { MoreMessages } from '../i18n/MoreMessages';
import { lazyWithPreload } from '../lazy/lazyWithPreload';
import type { DisclosureControl } from './Disclosure';

/** Controls the phone menu of a signed-in member from outside (spec section 2, Navigation bar). */
export const PhoneMenuControl = createContext<DisclosureControl | undefined>(undefined);

/** The member's part of the bar with its messages, which visitors never load. */
const CATALOGUES = ['app'] as const;

export const LazyMemberControls = lazyWithPreload(async () => {
  const [{ MemberControls }] = await Promise.all([
    import(/* webpackChunkName: "member-controls" */ './MemberControls'),
    loadCatalogue('app', documentLanguage()),
  ]);
  return { default: () => createElement(MoreMessages, { of: CATALOGUES }, createElement(MemberControls)) };
}, 'optional');
