import type { Language } from './languages';

const ONE_YEAR_IN_SECONDS = 365 * 24 * 60 * 60;

/** Keeps the visitor's choice where Django reads it, so that pages, messages and mails follow it. */
export function keepLanguage(language: Language): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `django_language=${language}; Path=/; Max-Age=${ONE_YEAR_IN_SECONDS}; SameSite=Lax${secure}`;
  settleAddress(language);
}

/**
 * Takes `?lang=` out of the address once its choice is kept in the cookie. An address that says it again would undo a
 * later choice whenever the visitor comes back to it or loads it anew.
 *
 * @param language the language of the page; where cookies are refused, the address goes on saying it
 */
export function settleAddress(language: Language): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has('lang')) return;
  if (document.cookie.includes(`django_language=${language}`)) address.searchParams.delete('lang');
  else address.searchParams.set('lang', language);
  window.history.replaceState(window.history.state, '', address);
}
