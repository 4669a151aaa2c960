import { createElement, type ReactNode, use } from 'react';

import { useLanguage } from '../language/LanguageProvider';
import { MoreMessages } from '../language/MoreMessages';
import type { Part } from './part';

/** Shows a part with its messages; suspends until they are there. `before` is rendered beside it, with the same messages. */
export function Loaded({ part, before }: { part: Part; before?: ReactNode }) {
  const { language } = useLanguage();
  // What is loaded renders at once, so that the first render fits what stands in the page.
  const { Component, messages } = part.loaded(language) ?? use(part.load(language));
  return (
    <MoreMessages messages={messages}>
      {before}
      {createElement(Component)}
    </MoreMessages>
  );
}
