import type { ComponentType } from 'react';

import { loadChunk } from '../chunks/loadChunk';
import { type Catalogue, loadGroup } from '../language/catalogues';
import type { Language } from '../language/languages';
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
}

/**
 * For how long a load that failed is not tried anew, in milliseconds: React asks again and again for what it renders,
 * and a failure that has just been has to reach the page.
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
  const loading = new Map<Language, Promise<PartContent>>();

  async function fetchBoth(language: Language): Promise<PartContent> {
    const [Component, messages] = await Promise.all([
      loadChunk(importComponent),
      loadMessages(group, language),
    ]);
    return { Component, messages };
  }

  function load(language: Language): Promise<PartContent> {
    const begun = loading.get(language);
    if (begun) return begun;
    const part = fetchBoth(language);
    loading.set(language, part);
    part.then(
      (content) => noteFulfilled(part, content),
      () => setTimeout(() => loading.delete(language), FAILURE_STANDS),
    );
    return part;
  }

  return { load };
}
