import type { AnalyticsEvents, AnalyticsLocation, ButtonName } from './events';

/** The most commands kept in memory, as many as Google's tag keeps; the oldest are dropped. */
const MAX_QUEUED = 300;

/** The commands of Google's tag that we use (https://developers.google.com/tag-platform/gtagjs/reference). */
type Command =
  | ['js', Date]
  | ['set', Record<string, string | boolean>]
  | ['config', string, Record<string, string | number | boolean>]
  | ['consent', 'default' | 'update', Record<string, 'granted' | 'denied'>]
  | ['event', string, object];

declare global {
  interface Window {
    /** The queue that Google's tag reads. */
    dataLayer?: unknown[];
  }
}

/**
 * Queue a command for Google's tag; without the tag it stays in memory.
 *
 * The tag recognizes a command by its being an `arguments` object, not an array.
 */
export const gtag: (...command: Command) => void = function () {
  const queue = (window.dataLayer ??= []);
  if (queue.length >= MAX_QUEUED) queue.shift();
  // eslint-disable-next-line prefer-rest-params -- see above
  queue.push(arguments);
};

/** Record an event (spec section 1). It leaves the browser only with consent (docs/analytics.md). */
export function track<Name extends keyof AnalyticsEvents>(name: Name, params: AnalyticsEvents[Name]): void {
  gtag('event', name, params);
}

/**
 * Record a press of a button.
 *
 * @param item the id of what it opens
 */
export function trackButton(button: ButtonName, location: AnalyticsLocation, item?: string): void {
  track('button_click', { button, location, ...(item && { item }) });
}

/** Record a click on a link to another page of this site, unless its address is personal. */
export function trackNavigation({ target }: MouseEvent): void {
  const link = target instanceof Element && target.closest('a');
  if (!link || link.origin !== window.location.origin || link.pathname === window.location.pathname) return;
  if (link.getAttribute('referrerpolicy') === 'no-referrer') return;
  const area = link.closest('dialog, main') ?? link.closest('header, footer');
  track('navigation', {
    from_path: window.location.pathname,
    to_path: link.pathname,
    area: area?.localName ?? 'page',
  });
}

let viewedPath: string | undefined;

/** Record a view of the current page, once however often it is called for the same path. */
export function trackPageView(path: string): void {
  if (path === viewedPath) return;
  viewedPath = path;
  sendPageView(path);
}

/** Record the view of the current page again, for a visit that is measured from now on. */
export function repeatPageView(): void {
  if (viewedPath !== undefined) sendPageView(viewedPath);
}

/** Return the address of the page with its UTM tags alone: the rest of the query may identify somebody. */
export function getPageLocation(): string {
  const { origin, pathname, search } = window.location;
  const tags = [...new URLSearchParams(search)].filter(([name]) => name.startsWith('utm_'));
  return `${origin}${pathname}${tags.length ? `?${new URLSearchParams(tags)}` : ''}`;
}

function sendPageView(path: string) {
  gtag('set', { page_location: getPageLocation() }); // for all events on the page
  track('page_view', {
    page_path: path,
    page_title: document.title,
    language: document.documentElement.dataset.language ?? '',
  });
}
