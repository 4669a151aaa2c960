import { getPageLocation, gtag, repeatPageView } from './track';

/** The longest lifetime of an analytics cookie, from the first visit (CNIL, the French data protection authority). */
const COOKIE_LIFETIME_SECONDS = 395 * 24 * 60 * 60;

/** Google's opt-out switch. */
function setDisabled(id: string, isDisabled: boolean) {
  Object.assign(window, { [`ga-disable-${id}`]: isDisabled });
}

/** Load Google's tag and record a view of the current page. Requires consent; earlier events are dropped. */
export function startTag(id: string): void {
  const src = `https://www.googletagmanager.com/gtag/js?id=${id}`;
  setDisabled(id, false);
  if (document.querySelector(`script[src="${src}"]`)) return;
  window.dataLayer = [];
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
    // The origin alone: the path may contain the token of a mail link.
    page_referrer: document.referrer && new URL('/', document.referrer).href,
    // This host only, so that stopTag can delete them.
    cookie_domain: 'none',
    cookie_expires: COOKIE_LIFETIME_SECONDS,
    cookie_update: false,
    cookie_flags: window.location.protocol === 'https:' ? 'SameSite=Lax;Secure' : 'SameSite=Lax',
  });
  document.head.append(Object.assign(document.createElement('script'), { async: true, src }));
  repeatPageView();
}

/** Stop Google's tag, and delete its cookies, those of earlier visits included. */
export function stopTag(id: string): void {
  setDisabled(id, true);
  for (const [name] of document.cookie.matchAll(/\b_ga(_\w+)?(?==)/g)) {
    document.cookie = `${name}=; Path=/; Max-Age=0`;
  }
}
