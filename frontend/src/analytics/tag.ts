import { gtag } from './gtag';
import { viewPageAgain } from './pageViews';

/**
 * The longest that the French data protection authority (CNIL) lets a cookie of this kind live, in seconds. It counts
 * from the first visit: a later one must not prolong it.
 */
const THIRTEEN_MONTHS = 395 * 24 * 60 * 60;

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style -- no record merges with Window
  interface Window {
    /** Google's own switch: true forbids the tag of this measurement id to send anything. */
    [disable: `ga-disable-${string}`]: boolean | undefined;
  }
}

/** What the tag reads, while it is cut off from us. */
let cutOff: unknown[] | undefined;

/**
 * Begins to measure: loads Google's tag, once, and counts the page that shows. Only for a visitor who has agreed;
 * what happened before is dropped.
 */
export function startTag(id: string): void {
  const address = `https://www.googletagmanager.com/gtag/js?id=${id}`;
  const isLoaded = document.querySelector(`script[src="${address}"]`) !== null;
  if (isLoaded && !window[`ga-disable-${id}`]) return;

  window[`ga-disable-${id}`] = false;
  if (isLoaded) {
    window.dataLayer = cutOff;
    gtag('consent', 'update', { analytics_storage: 'granted' });
  } else {
    window.dataLayer = [];
    configure(id);
    const script = document.createElement('script');
    script.async = true;
    script.src = address;
    document.head.append(script);
  }
  viewPageAgain();
}

/**
 * Ends the measuring of a visitor who does not consent, or no more: nothing is sent from now on, nothing reaches the
 * tag, and its cookies go, those of an earlier visit too.
 */
export function stopTag(id: string): void {
  if (window[`ga-disable-${id}`] === false) {
    window[`ga-disable-${id}`] = true;
    gtag('consent', 'update', { analytics_storage: 'denied' });
    cutOff = window.dataLayer;
    window.dataLayer = [];
  }
  for (const [name] of document.cookie.matchAll(/\b_ga(_\w+)?(?==)/g)) {
    document.cookie = `${name}=; Path=/; Max-Age=0`;
  }
}

function configure(id: string) {
  gtag('consent', 'default', {
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    analytics_storage: 'denied',
  });
  gtag('consent', 'update', { analytics_storage: 'granted' });
  gtag('set', { ads_data_redaction: true, allow_ad_personalization_signals: false });
  gtag('js', new Date());
  gtag('config', id, {
    send_page_view: false,
    allow_google_signals: false,
    page_referrer: referrer(),
    // On this host alone, so that stopTag finds them.
    cookie_domain: 'none',
    cookie_expires: THIRTEEN_MONTHS,
    cookie_update: false,
    cookie_flags: window.location.protocol === 'https:' ? 'SameSite=Lax;Secure' : 'SameSite=Lax',
  });
}

/** The site that the visitor came from, never the page: the address of one behind a link in a mail holds a token. */
function referrer(): string {
  return document.referrer && new URL('/', document.referrer).href;
}
