/** The languages of the interface, each with its locale for dates, numbers and plurals. */
export const LOCALES = { en: 'en-US', cs: 'cs-CZ' } as const;

export type Language = keyof typeof LOCALES;

/** The language of visitors who have not chosen one (spec section 4). */
export const DEFAULT_LANGUAGE: Language = 'en';

const ONE_YEAR_IN_SECONDS = 365 * 24 * 60 * 60;

/** Return the chosen language; undefined without a choice, or if cookies are refused. */
export function readStoredLanguage(): Language | undefined {
  return /\bdjango_language=(en|cs)\b/.exec(document.cookie)?.[1] as Language | undefined;
}

/** Store the chosen language in the cookie that Django reads for pages, messages and mails. */
export function storeLanguage(language: Language): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `django_language=${language}; Path=/; Max-Age=${ONE_YEAR_IN_SECONDS}; SameSite=Lax${secure}`;
  removeLangParameter(language);
}

/**
 * Remove `?lang=` from the address once the cookie holds the choice. Otherwise going back to the address, or reloading it,
 * would undo a later choice.
 *
 * @param language the language of the page; if cookies are refused, the address keeps it
 */
export function removeLangParameter(language: Language): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has('lang')) return;
  if (readStoredLanguage() === language) address.searchParams.delete('lang');
  else address.searchParams.set('lang', language);
  window.history.replaceState(window.history.state, '', address);
}
