type UserType = 'sailor' | 'company';

/** The events (spec section 1), without personal data; docs/analytics.md lists them. `location` is a page of frontend/routes.json. */
interface AnalyticsEvents {
  /** `item`: the id of what was opened. */
  button_click: { button: string; location: string; item?: string };
  /** A click on a link to another page of this site; `area`: the landmark or dialog around it. */
  navigation: { from_path: string; to_path: string; area: string };
  /** A subscription. `signup_source`, because Google Analytics uses `source` for the campaign. */
  newsletter_signup: { user_type: UserType; signup_source?: 'landing-sailors' | 'landing-companies' };
  user_type_selection: { user_type: UserType; location: string };
  /** `item`: the address of the chosen link. Choosing closes the menu without a `close` event. */
  menu_interaction: {
    menu: 'overlay' | 'phone' | 'user';
    action: 'open' | 'close' | 'choose';
    item?: string;
  };
  page_view: { page_path: string; page_title: string; language: string };
}

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

/** Record a press of a button. */
export function trackButton(button: string, location: string, item?: string): void {
  track('button_click', { button, location, ...(item && { item }) });
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
  const pressed = target.closest<HTMLElement>('[data-track]');
  const isPending = pressed?.getAttribute('aria-disabled') === 'true';
  if (pressed && !isPending) trackButton(pressed.dataset.track ?? '', shownPage, pressed.dataset.trackItem);
  const link = target.closest('a');
  if (link?.origin !== window.location.origin || link.pathname === window.location.pathname) return;
  if (link.getAttribute('referrerpolicy') === 'no-referrer') return;
  const area = link.closest('dialog, main') ?? link.closest('header, footer');
  track('navigation', {
    from_path: window.location.pathname,
    to_path: link.pathname,
    area: area?.localName ?? 'page',
  });
}

let viewedPath: string | undefined;

/** Record a view of a page, once however often it is called for the same path. */
export function trackPageView(path: string, page = ''): void {
  shownPage = page;
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
