/** The events (spec section 1). docs/analytics.md lists their parameters; none is personal. */
type EventName =
  | 'button_click'
  | 'navigation'
  | 'newsletter_signup'
  | 'user_type_selection'
  | 'menu_interaction'
  | 'page_view';

declare global {
  interface Window {
    /** The queue that Google's tag reads. */
    dataLayer?: unknown[];
  }
}

/**
 * Queue a command for Google's tag (https://developers.google.com/tag-platform/gtagjs/reference); without the tag it
 * stays in memory.
 *
 * The tag recognizes a command by its being an `arguments` object, not an array.
 */
export const gtag: (command: string, ...values: unknown[]) => void = function () {
  // oxlint-disable-next-line prefer-rest-params -- see above
  (window.dataLayer ??= []).push(arguments);
};

/** Record an event. It leaves the browser only with consent. */
export function track(name: EventName, params: Record<string, string | undefined>): void {
  gtag('event', name, params);
}

/** The page that is shown, a name of frontend/routes.json. */
let shownPage = '';

/** Record presses and clicks on links from now on, at first those on a page of frontend/routes.json. */
export function trackClicks(page: string): void {
  shownPage = page;
  // In the capture phase, before the router changes the address.
  document.addEventListener('click', trackClick, { capture: true });
}

/**
 * Record a press of what has `data-track`, the name of a button, and perhaps `data-track-item`, and a click on a link to another
 * page of this site, unless its address is personal.
 */
export function trackClick({ target }: MouseEvent): void {
  if (!(target instanceof Element)) return;
  const pressed = target.closest<HTMLElement>('[data-track]:not([aria-disabled="true"])');
  if (pressed) {
    const { track: button, trackItem: item } = pressed.dataset;
    track('button_click', { button, location: shownPage, item });
  }
  const { origin, pathname } = window.location;
  const link = target.closest('a');
  if (link?.origin !== origin || link.pathname === pathname) return;
  if (link.getAttribute('referrerpolicy') === 'no-referrer') return;
  const area = link.closest('dialog, main') ?? link.closest('header, footer');
  track('navigation', { from_path: pathname, to_path: link.pathname, area: area?.localName ?? 'page' });
}

let viewedPath: string | undefined;

/** Record a view of a page, once however often it is called for the same path. */
export function trackPageView(path: string, page = ''): void {
  shownPage = page;
  if (path === viewedPath) return;
  viewedPath = path;
  repeatPageView();
}

/** Record the view of the current page, again for a visit that is measured from now on. */
export function repeatPageView(): void {
  if (viewedPath === undefined) return;
  gtag('set', { page_location: getPageLocation() }); // for all events on the page
  track('page_view', {
    page_path: viewedPath,
    page_title: document.title,
    language: document.documentElement.dataset.language,
  });
}

/** Return the address of the page with its UTM tags alone: the rest of the query may identify somebody. */
export function getPageLocation(): string {
  const { origin, pathname, search } = window.location;
  const tags = [...new URLSearchParams(search)].filter(([name]) => name.startsWith('utm_'));
  return `${origin}${pathname}${tags.length ? `?${new URLSearchParams(tags)}` : ''}`;
}
