import type { Location } from 'react-router-dom';

const SOURCES = ['landing-sailors', 'landing-companies'] as const;

/** The landing page whose button led here (spec section 3, Newsletter input). */
export type Source = (typeof SOURCES)[number];

/**
 * The source that a link left in the state of the router's location; null when there is none.
 *
 * A link that was followed before its page had come to life left none; then it is the page that the browser came from.
 */
export function sourceOf({ state, key }: Pick<Location<unknown>, 'state' | 'key'>): Source | null {
  const named = typeof state === 'object' && state !== null && 'source' in state ? state.source : null;
  // The router calls the first page of a visit "default".
  const source = named ?? (key === 'default' ? referringPage() : null);
  return SOURCES.find((known) => known === source) ?? null;
}

function referringPage(): string | null {
  if (typeof document === 'undefined' || !document.referrer.startsWith(`${window.location.origin}/`))
    return null;
  return new URL(document.referrer).pathname.replace(/^\/|\/+$/g, '');
}
