import type { Language } from './languages';

const ONE_YEAR_IN_SECONDS = 365 * 24 * 60 * 60;

/**
 * Keeps the visitor's choice where Django reads it, so that pages, messages and mails follow it.
 *
 * A `?lang=` in the address would beat the cookie on the next load, so it goes.
 */
export function keepLanguage(language: Language): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `django_language=${language}; Path=/; Max-Age=${ONE_YEAR_IN_SECONDS}; SameSite=Lax${secure}`;

  const address = new URL(window.location.href);
  if (address.searchParams.has('lang')) {
    address.searchParams.delete('lang');
    window.history.replaceState(window.history.state, '', address);
  }
}
