import type { ComponentType } from 'react';

import { loadChunk } from './loadChunk';
import { type Catalogue, loadGroup } from '../i18n/catalogues';
import type { Language } from '../i18n/languages';
import { noteFulfilled } from './noteFulfilled';

/** What it takes to render a part: its component, and its messages in one language. */
export interface PartContent {
  Component: ComponentType;
  messages: Catalogue;
}

/** A piece of the interface, a page or a stretch of one, whose code and messages are files of their own. */
export interface Part {
  /** Loads it in a language, once; a load that failed is tried anew by the next call, a while later. For `use`. */
  load: (language: Language) => Promise<PartContent>;
  /** The same for a page that cannot do without the part: a missing file loads the page anew (see loadChunk). */
  loadRequired: (language: Language) => Promise<PartContent>;
}

/**
 * For how long a load that failed is not tried anew, in milliseconds, unless the connection comes back: React asks again
 * and again for what it renders, and a failure that has just been has to reach the page.
 */
const FAILURE_STANDS = 1000;

/**
 * @param importComponent imports the chunk of the component
 * @param group the group of messages that only this part needs
 * @param loadMessages loads it in a language
 */
export function definePart(
  importComponent: () => Promise<ComponentType>,
  group: string,
  loadMessages = loadGroup,
): Part {
  const loaded = new Set<Language>();

  async function fetchBoth(language: Language): Promise<PartContent> {
    const [Component, messages] = await Promise.all([
      loadChunk(importComponent, 'optional'),
      loadMessages(group, language),
    ]);
    loaded.add(language);
    return { Component, messages };
  }

  const load = oncePerLanguage(fetchBoth);
  const loadRequired = oncePerLanguage((language) =>
    // What is there is taken at once, by the first render too.
    loaded.has(language) ? load(language) : loadChunk(() => load(language), 'required'),
  );
  return { load, loadRequired };
}

/** Keeps the promise of each language for `use`: for good when it is fulfilled, else for a while. */
function oncePerLanguage(fetchPart: (language: Language) => Promise<PartContent>) {
  const begun = new Map<Language, Promise<PartContent>>();
  return (language: Language): Promise<PartContent> => {
    const kept = begun.get(language);
    if (kept) return kept;
    const part = fetchPart(language);
    begun.set(language, part);
    const forget = () => {
      if (begun.get(language) === part) begun.delete(language);
    };
    part.then(
      (content) => noteFulfilled(part, content),
      () => {
        setTimeout(forget, FAILURE_STANDS);
        addEventListener('online', forget, { once: true });
      },
    );
    return part;
  };
}
