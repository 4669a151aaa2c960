import { type ComponentType, createElement, Fragment, type ReactNode, use } from 'react';

import { useLanguage } from '../i18n/LanguageProvider';
import { MoreMessages } from '../i18n/MoreMessages';
import type { Part } from './part';

interface LoadedPartProps {
  part: Part;
  /** Whether the page can do without the part: then it stands in an OptionalBoundary, and never reloads the page. */
  optional?: boolean;
  /** Rendered before the part, with the part's messages. */
  children?: ReactNode;
  /** Rendered around the part alone. */
  frame?: ComponentType<{ children: ReactNode }> | undefined;
}

/** Shows a part with its messages; suspends until they are there. */
export function LoadedPart({ part, optional, children, frame: Frame = Fragment }: LoadedPartProps) {
  const { language } = useLanguage();
  // What is loaded renders at once, so that the first render fits what stands in the page.
  const { Component, messages } = use(optional ? part.load(language) : part.loadRequired(language));
  return (
    <MoreMessages messages={messages}>
      {children}
      <Frame>{createElement(Component)}</Frame>
    </MoreMessages>
  );
}
