import { createElement, type ReactNode, use } from 'react';

import { useLanguage } from '../language/LanguageProvider';
import { MoreMessages } from '../language/MoreMessages';
import type { Part } from './part';

interface LoadedPartProps {
  part: Part;
  /** Rendered before the part, with the part's messages. */
  children?: ReactNode;
}

/** Shows a part with its messages; suspends until they are there. */
export function LoadedPart({ part, children }: LoadedPartProps) {
  const { language } = useLanguage();
  // What is loaded renders at once, so that the first render fits what stands in the page.
  const { Component, messages } = part.loaded(language) ?? use(part.load(language));
  return (
    <MoreMessages messages={messages}>
      {children}
      {createElement(Component)}
    </MoreMessages>
  );
}
