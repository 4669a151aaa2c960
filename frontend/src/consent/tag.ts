import { getPageLocation, gtag, repeatPageView } from './track';

/** The longest lifetime of an analytics cookie, from the first visit (CNIL, the French data protection authority). */
const COOKIE_LIFETIME_SECONDS = 395 * 24 * 60 * 60;

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style -- no record merges with Window
  interface Window {
    /** Google's opt-out switch for a measurement id. */
    [disable: `ga-disable-${string}`]: boolean | undefined;
  }
}

/** Load Google's tag and record a view of the current page. Requires consent; earlier events are dropped. */
export function startTag(id: string): void {
  const address = `https://www.googletagmanager.com/gtag/js?id=${id}`;
  if (document.querySelector(`script[src="${address}"]`)) return;
  window[`ga-disable-${id}`] = false;
  window.dataLayer = [];
  configure(id);
  document.head.append(Object.assign(document.createElement('script'), { async: true, src: address }));
  repeatPageView();
}

/** Stop Google's tag until the next page load, and delete its cookies, those of earlier visits included. */
export function stopTag(id: string): void {
  window[`ga-disable-${id}`] = true;
  window.dataLayer = []; // the tag reads the previous queue
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
  gtag('set', {
    ads_data_redaction: true,
    allow_ad_personalization_signals: false,
    page_location: getPageLocation(), // by default the whole address, with the code of an invitation
  });
  gtag('js', new Date());
  gtag('config', id, {
    send_page_view: false,
    allow_google_signals: false,
    page_referrer: getReferrerOrigin(),
    // This host only, so that stopTag can delete them.
    cookie_domain: 'none',
    cookie_expires: COOKIE_LIFETIME_SECONDS,
    cookie_update: false,
    cookie_flags: window.location.protocol === 'https:' ? 'SameSite=Lax;Secure' : 'SameSite=Lax',
  });
}

/** Return the origin of the referrer: its path may contain the token of a mail link. */
function getReferrerOrigin(): string {
  return document.referrer && new URL('/', document.referrer).href;
}
